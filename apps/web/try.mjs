import AxeBuilder from '@axe-core/playwright'
import { chromium } from 'playwright-core'

const key = process.argv[2]
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--disable-dev-shm-usage'] })
async function open(path, looks = {}) {
  const ctx = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...looks })
  const page = await ctx.newPage()
  page.on('console', m => {
    if (m.type() === 'error' || m.type() === 'warning') console.log('console', m.text())
  })
  page.on('pageerror', e => console.log('pageerror', e.stack))
  await page.goto('http://127.0.0.1:8177/')
  await page.fill('input', key)
  await page.click('button[type=submit]')
  await page.waitForSelector('main#content')
  await page.goto('http://127.0.0.1:8177' + path)
  return page
}
const axe = async (page, what) => {
  const { violations } = await new AxeBuilder({ page }).analyze()
  for (const v of violations)
    console.log(
      'AXE',
      what,
      v.impact,
      v.id,
      v.nodes.length,
      v.nodes[0].html.slice(0, 160),
      v.nodes[0].failureSummary?.slice(0, 200),
    )
}
const a = await open('/b/BAC/board'),
  b = await open('/b/BAC/board', { colorScheme: 'dark' })
for (const p of [a, b]) await p.waitForSelector('.tile')
await axe(a, 'board')
await axe(b, 'board dark')
// menu
const tile = a.locator('[data-column="not_started"] .tile').nth(2)
const ref = await tile.locator('.ref').innerText()
await tile.hover()
await tile.locator('.tile-menu').click()
await a.waitForSelector('.menu-item .status-sign')
await a.waitForTimeout(200)
await a.screenshot({ path: '/tmp/s-menu.png' })
await axe(a, 'menu')
const t0 = Date.now()
await a.getByRole('menuitem', { name: 'Started' }).click()
await b.locator('[data-column="started"] .ref', { hasText: ref }).waitFor()
console.log('event to other screen ms', Date.now() - t0)
// drag
const src = a.locator('[data-column="not_started"] .tile').first()
const dst = a.locator('[data-column="in_progress"]')
await src.dragTo(dst, { targetPosition: { x: 60, y: 200 } }).catch(e => console.log(String(e)))
await a.waitForTimeout(600)
await a.screenshot({ path: '/tmp/s-drag.png' })
// drag hover a refused/asks
const s2 = await a.locator('[data-column="not_started"] .tile').nth(1).boundingBox()
const d2 = await a.locator('[data-column="done"]').boundingBox()
await a.mouse.move(s2.x + 60, s2.y + 60)
await a.mouse.down()
await a.mouse.move(s2.x + 80, s2.y + 80, { steps: 4 })
await a.waitForTimeout(500)
await a.screenshot({ path: '/tmp/s-dragging.png' })
await a.mouse.up()
await a.waitForTimeout(300)
await b.goto('http://127.0.0.1:8177/b/BAC/board?lanes=spec&q=test')
await b.waitForSelector('.tile')
await b.waitForTimeout(400)
await b.screenshot({ path: '/tmp/s-lanes-dark.png' })
await a.goto('http://127.0.0.1:8177/b/BAC/cards/BAC-130')
await a.waitForSelector('.card-view')
await a.waitForTimeout(900)
await a.screenshot({ path: '/tmp/s-cardpage.png' })
await axe(a, 'card')
await a.goto('http://127.0.0.1:8177/')
await a.waitForSelector('.inbox')
await a.waitForTimeout(600)
await a.screenshot({ path: '/tmp/s-inbox.png' })
await axe(a, 'inbox')
await a.keyboard.press('Control+k')
await a.waitForTimeout(200)
await a.keyboard.type('speed')
await a.waitForTimeout(700)
await a.screenshot({ path: '/tmp/s-palette.png' })
await axe(a, 'palette')
await a.keyboard.press('Escape')
await a.keyboard.press('?')
await a.waitForTimeout(300)
await a.screenshot({ path: '/tmp/s-keys.png' })
const c = await open('/b/BAC/board', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
await c.waitForSelector('.tile')
await c.waitForTimeout(400)
await c.screenshot({ path: '/tmp/s-phone.png' })
await axe(c, 'phone')
await c.goto('http://127.0.0.1:8177/b/BAC/cards/BAC-130')
await c.waitForSelector('.card-view')
await c.waitForTimeout(500)
await c.screenshot({ path: '/tmp/s-phone-card.png' })
await browser.close()
