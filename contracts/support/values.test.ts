/** Elapsed time in any words is accepted; an instant is not. */
import { describe, expect, test } from 'vitest'
import { canBeElapsedTime, isImageUrl } from './values.js'

describe('Elapsed time', () => {
  test.each([
    // moment and dayjs
    'a few seconds ago',
    'a minute ago',
    '44 minutes ago',
    'an hour ago',
    'a day ago',
    '25 days ago',
    'a month ago',
    '10 years ago',
    'in a few seconds',
    'in 2 hours',
    'a few seconds',
    '3 days',
    // date-fns
    'less than a minute ago',
    'about 1 hour ago',
    'almost 2 years ago',
    'over 1 year ago',
    'half a minute ago',
    'less than 5 seconds',
    // timeago.js, javascript-time-ago, Rails, Intl
    'just now',
    'right now',
    'in a moment',
    '1 yr. ago',
    '3 mo. ago',
    '5 min ago',
    '2 hr. ago',
    'yesterday',
    'tomorrow',
    'today',
    'last week',
    'next month',
    'this minute',
    'the day before yesterday',
    '2 days, 3 hours ago',
    '1 year and 2 months ago',
    '1h ago',
    '5m',
    '2w ago',
    '2 minutes from now',
    'Yesterday at 2:30 PM',
    'Last Monday at 14:00',
    'one day ago',
    'ONE HOUR AGO',
    '1,000 days ago',
    '1.5 hours ago',
    '~3 days ago',
    ' 3  days ago ',
    'moments ago',
    'a couple of days ago',
    'last mo.',
    '2026 days ago',
    '2h',
    'vor 3 Tagen',
    'il y a 2 mois',
    'منذ ٣ أيام',
    '3日前',
    '1か月前',
    'today at 10:14 AM',
  ])('%j is', (text) => {
    expect(canBeElapsedTime(text)).toBe(true)
  })

  test.each([
    '2026-11-28T04:00:00Z',
    '2026-11-28T04:00:00.000+00:00',
    '2026-11-28',
    '28/11/2026',
    'Nov 28, 2026',
    'Sat Nov 28 2026 04:00:00 GMT+0000',
    '1795838400',
    '1795838400000',
    '0',
    '',
    ' ',
    'null',
    'Invalid date',
    'NaN years ago',
    'undefined days ago',
    '04:00',
    '4:05 pm',
    '28. November 2026',
    '2026年11月28日',
    'Nov 28',
    'Sat, 28 Nov',
    '[object Object]',
    '3',
    'P3D',
  ])('%j is not', (text) => {
    expect(canBeElapsedTime(text)).toBe(false)
  })
})

describe('The URL of an image', () => {
  test.each([
    '//cdn.example.com/a.png',
    'https://cdn.example.com/a',
    'http://localhost:4000/_mock/avatars/x.svg?s=40',
    'HTTPS://X.example/a',
  ])('%j', (text) => {
    expect(isImageUrl(text)).toBe(true)
  })

  test.each([
    '',
    '/avatars/a.png',
    'a.png',
    'data:image/png;base64,AAAA',
    'ftp://x/a.png',
    '//',
    'https://',
    'javascript:alert(1)',
    'https:///a.png',
    'cdn.example.com/a.png',
    'http://[x/',
  ])('not %j', (text) => {
    expect(isImageUrl(text)).toBe(false)
  })
})
