/** The HTML report in a real browser. Set HTML_REPORT to a folder to keep pictures of it. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium, type Page } from '@playwright/test'
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

type Rules = 'all' | 'all but contrast' | 'contrast'

/** What axe finds. */
const problemsOf = (page: Page, rules: Rules) =>
  page.evaluate(async (chosen) => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run({
      resultTypes: ['violations'],
      ...(chosen === 'contrast' && { runOnly: ['color-contrast'] }),
      rules: { 'color-contrast': { enabled: chosen !== 'all but contrast' } },
    })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  }, rules)

/** How much wider than the window the page is. */
const excessOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

const visible = (page: Page, selector: string) => page.locator(selector).filter({ visible: true }).count()

/** Contrast does not depend on the width, and nothing else on the color scheme. */
const looks: readonly (readonly [width: number, colorScheme: 'light' | 'dark', rules?: Rules])[] = [
  [360, 'light', 'all'],
  [360, 'dark', 'contrast'],
  [800, 'dark'],
  [800, 'light'],
  [1440, 'light', 'all but contrast'],
  [1440, 'dark'],
]

async function expectAccess(page: Page): Promise<void> {
  await page.goto(sampleAddress)
  await page.getByRole('button', { name: 'Open all' }).click()
  // The policy of the page allows no other script.
  await page.evaluate(readFileSync(axePath, 'utf8'))
  for (const [width, colorScheme, rules] of looks) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    const look = `${width} pixels, ${colorScheme}`
    expect(await excessOf(page), look).toBe(0)
    if (rules !== undefined) expect(await problemsOf(page, rules), look).toEqual([])
    if (pictures === undefined) continue
    mkdirSync(pictures, { recursive: true })
    await page.screenshot({ path: join(pictures, `report-${width}-${colorScheme}.png`), fullPage: true })
  }
}

async function expectFinding(page: Page): Promise<void> {
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
  await page.emulateMedia({ media: 'screen' })
}

async function expectWithoutScript(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setScriptExecutionDisabled', { value: true })
  await page.goto(sampleAddress)
  expect(await visible(page, '.check.fail .exchange')).toBe(2)
  expect(await visible(page, 'form, button')).toBe(0)
  await page.getByRole('heading', { name: 'Passed' }).click()
  expect(await page.locator('#check-target-answers').isVisible()).toBe(true)
  await session.send('Emulation.setScriptExecutionDisabled', { value: false })
}

async function expectInert(page: Page): Promise<void> {
  const happened: string[] = []
  page.on('console', (it) => happened.push(it.text()))
  page.on('pageerror', (it) => happened.push(it.message))
  page.on('request', (it) => happened.push(it.url()))
  page.on('dialog', (it) => void it.dismiss().then(() => happened.push(it.message())))
  await page.goto(hostileAddress)
  await page.getByRole('button', { name: 'Open all' }).click()
  await page.setViewportSize({ width: 360, height: 900 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  expect(await page.locator('img, iframe, main script, main style, a:not([href^="#"])').count()).toBe(0)
  expect(await page.locator('#check-f .sentence').textContent()).toContain(
    '<img src=x onerror=alert(1)></details></script>',
  )
  expect(happened).toEqual([hostileAddress])
}

test('The HTML report is accessible at each size, finds checks, needs no script, and runs none of a server.', async (context) => {
  const browser = await chromium.launch(chromiumOptions(context))
  try {
    const page = await browser.newPage()
    await expectFinding(page)
    await expectAccess(page)
    await expectWithoutScript(page)
    await expectInert(page)
  } finally {
    await browser.close()
  }
}, 120_000)
