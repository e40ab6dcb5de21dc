/** The HTML report in a real browser. Set HTML_REPORT to a folder to keep pictures of it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium, type Browser, type Page } from '@playwright/test'
import type axe from 'axe-core'
import { afterAll, expect, test } from 'vitest'
import { htmlReport } from '../../contract/reports/html.js'
import { hostile, sample } from '../../contract/reports/report.testkit.js'
import { chromiumOptions } from '../needs.testkit.js'

const folder = mkdtempSync(join(tmpdir(), 'commerce-mock-html-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const addresses = Object.entries({ sample, hostile }).map(([name, report]) => {
  const path = join(folder, `${name}.html`)
  writeFileSync(path, htmlReport(report))
  return pathToFileURL(path).href
})
const [sampleAddress = '', hostileAddress = ''] = addresses

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const pictures = process.env['HTML_REPORT']

/** What axe finds, and how much wider than the window the page is. */
const problemsOf = (page: Page) =>
  page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run()
    const { scrollWidth, clientWidth } = document.documentElement
    return [
      ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
      ...(scrollWidth > clientWidth ? [`${scrollWidth - clientWidth} pixels too wide`] : []),
    ]
  })

const visible = (page: Page, selector: string) => page.locator(selector).filter({ visible: true }).count()

async function expectAccess(browser: Browser): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ colorScheme })
    await page.addInitScript({ path: axePath })
    await page.goto(sampleAddress)
    await page.getByRole('button', { name: 'Open all' }).click()
    for (const width of [360, 800, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await problemsOf(page), `${width} pixels, ${colorScheme}`).toEqual([])
      if (pictures === undefined) continue
      mkdirSync(pictures, { recursive: true })
      await page.screenshot({ path: join(pictures, `report-${width}-${colorScheme}.png`), fullPage: true })
    }
    await page.close()
  }
}

async function expectFinding(browser: Browser): Promise<void> {
  const page = await browser.newPage()
  // A deep link opens what is folded around the check.
  await page.goto(`${sampleAddress}#check-letters-again`)
  expect(await page.locator('#check-letters-again').isVisible()).toBe(true)
  expect(await page.locator('#check-c').isVisible()).toBe(false)

  await page.getByRole('searchbox').fill('would WRITE')
  expect(await page.getByRole('status').textContent()).toBe('1 of 14 checks')
  expect(await visible(page, '[data-outcome]')).toBe(1)
  expect(await visible(page, 'nav a')).toBe(2)
  await page.getByRole('searchbox').fill('nowhere')
  await page.getByRole('button', { name: 'Show everything' }).click()
  await page.getByRole('checkbox', { name: 'fail' }).uncheck()
  expect([await visible(page, '.check.fail'), await visible(page, '.check.known')]).toEqual([0, 1])
  // The verdict links to the check that the filter hides.
  await page.locator('.verdict').getByRole('link', { name: 'letters-limit' }).click()
  expect(await visible(page, '.check.fail .exchange')).toBe(2)
  expect(await page.evaluate(() => document.activeElement?.parentElement?.id)).toBe('check-letters-limit')

  await page.emulateMedia({ media: 'print' })
  expect(await page.locator('#check-letters-guess .sentence').isVisible()).toBe(true)
  expect(await visible(page, 'nav, form, .curl')).toBe(0)
  await page.close()
}

async function expectWithoutScript(browser: Browser): Promise<void> {
  const page = await browser.newPage({ javaScriptEnabled: false })
  await page.goto(sampleAddress)
  expect(await visible(page, '.check.fail .exchange')).toBe(2)
  expect(await visible(page, 'form, button')).toBe(0)
  await page.getByRole('heading', { name: 'Passed' }).click()
  expect(await page.locator('#check-target-answers').isVisible()).toBe(true)
  await page.close()
}

async function expectInert(browser: Browser): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 360, height: 900 } })
  const happened: string[] = []
  page.on('console', (it) => happened.push(it.text()))
  page.on('pageerror', (it) => happened.push(it.message))
  page.on('request', (it) => happened.push(it.url()))
  page.on('dialog', (it) => void it.dismiss().then(() => happened.push(it.message())))
  await page.goto(hostileAddress)
  await page.getByRole('button', { name: 'Open all' }).click()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  expect(await page.locator('img, iframe, main script, main style, a:not([href^="#"])').count()).toBe(0)
  expect(await page.locator('#check-f .sentence').textContent()).toContain(
    '<img src=x onerror=alert(1)></details></script>',
  )
  expect(happened).toEqual([hostileAddress])
  await page.close()
}

test('The HTML report is accessible at each size, finds checks, needs no script, and runs none of a server.', async (context) => {
  const browser = await chromium.launch(chromiumOptions(context))
  try {
    await expectAccess(browser)
    await expectFinding(browser)
    await expectWithoutScript(browser)
    await expectInert(browser)
  } finally {
    await browser.close()
  }
}, 120_000)
