import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { builtSite, guide } from '@specboard/web'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { World } from '../../cli/test/support/world.ts'
import { guidePages } from '../guide/contents.ts'
import { renderPage } from '../guide/markdown.ts'
import { seriousFindings } from './support/axe.ts'
import { describeInBrowser, sharedBrowser } from './support/browser.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const base = '/docs/guide/'
const addresses = guidePages.map(({ path }) => base + path.replace(/^index\.html$/, ''))

let world: World
/** The HTML of each page, by its address. */
let pages: ReadonlyMap<string, string>

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(new URL(path, world.running.url), { headers: { 'accept-encoding': 'identity', ...headers } })

beforeAll(async () => {
  const built = await builtSite(guide)
  world = await World.start({}, undefined, async () => built.built())
  const texts = addresses.map(async address => [address, await (await get(address)).text()] as const)
  pages = new Map(await Promise.all(texts))
})

afterAll(() => world.stop())

describe('served at /docs/guide', () => {
  test('every page of docs is one of the guide', () => {
    const sources = globSync('docs/**/*.md', { cwd: root }).toSorted()
    expect(
      guidePages
        .map(({ source }) => source)
        .filter(source => source.startsWith('docs/'))
        .toSorted(),
    ).toEqual(sources)
    expect(new Set(addresses).size).toBe(guidePages.length)
  })

  test.each(['/docs/guide', ...addresses])('%s is a page without inline script and style', async address => {
    const answer = await get(address)
    const policy = answer.headers.get('content-security-policy')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(policy).toContain("script-src 'self'; style-src 'self';")
    const text = await answer.text()
    expect(text).toMatch(/<h1 id="[^"]/)
    expect(text).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/)
  })

  test('a page has a tag, its files never change', async () => {
    const page = await get(base)
    const tag = page.headers.get('etag')!
    expect((await get(base, { 'if-none-match': tag })).status).toBe(304)
    const [, script] = /src="(\/docs\/guide\/assets\/[^"]+\.js)"/.exec(await page.text())!
    expect((await get(script!)).headers.get('cache-control')).toContain('immutable')
    expect((await get(base, { 'accept-encoding': 'gzip' })).headers.get('content-encoding')).toBe('gzip')
  })

  test('a picture comes as it is, however it is asked for', async () => {
    const [, picture] = /src="(\/docs\/guide\/assets\/[^"]+\.png)"/.exec(pages.get(`${base}web.html`)!)!
    const answer = await get(picture!, { 'accept-encoding': 'gzip' })
    expect([answer.headers.get('content-type'), answer.headers.get('content-encoding')]).toEqual(['image/png', null])
  })

  test.each(['absent.html', 'assets/absent.js', '../../package.json', '%2e%2e/%2e%2e/package.json'])(
    '%s is not there',
    async path => {
      expect((await get(base + path)).status).toBe(404)
    },
  )

  test('the API reference stays where it is', async () => {
    for (const path of ['/docs', '/redoc', '/openapi.json']) expect((await get(path)).status).toBe(200)
  })

  test('a guide that could not be built says so', async () => {
    const without = await World.start({}, undefined, async () => undefined)
    try {
      const answer = await fetch(`${without.running.url}/docs/guide`)
      expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('could not be built')])
    } finally {
      await without.stop()
    }
  })
})

describe('every link leads somewhere', () => {
  /** Paths that are the service's own. */
  const others = new Set(['/', '/docs'])
  const idsOf = (text: string) => new Set(Array.from(text.matchAll(/ id="([^"]+)"/g), ([, id]) => id!))
  let anchors: ReadonlyMap<string, ReadonlySet<string>>
  let files: ReadonlySet<string>

  beforeAll(async () => {
    anchors = new Map(Array.from(pages, ([address, text]) => [address, idsOf(text)]))
    anchors = new Map([...anchors, [`${base}index.html`, anchors.get(base)!]])
    const linked = [...pages.values()].flatMap(text =>
      Array.from(text.matchAll(/(?:href|src)="(\/docs\/guide\/[^"#]*)/g), ([, path]) => path!),
    )
    const rest = [...new Set(linked)].filter(path => !anchors.has(path))
    const found = await Promise.all(rest.map(async path => ((await get(path)).ok ? [path] : [])))
    files = new Set(found.flat())
  })

  test.each(addresses)('of %s', address => {
    const links = Array.from(pages.get(address)!.matchAll(/(?:href|src)="([^"]*)"/g), ([, link]) => link!)
    expect(links.length).toBeGreaterThan(10)
    const broken = links.filter(link => {
      if (/^(?:https?|mailto):/.test(link) || others.has(link)) return false
      const [path, anchor] = link.split('#', 2) as [string, string?]
      if (files.has(path)) return false
      const pageAnchors = anchors.get(path || address)
      return pageAnchors === undefined || (anchor !== undefined && !pageAnchors.has(anchor))
    })
    expect(broken).toEqual([])
  })

  test('of what the search finds', async () => {
    const found = (await (await get(`${base}search.json`)).json()) as {
      readonly address: string
      readonly text: string
    }[]
    expect(found.length).toBeGreaterThan(600)
    const broken = found.filter(({ address }) => {
      const [path, anchor] = address.split('#') as [string, string]
      return !anchors.get(base + path.replace(/^index\.html$/, ''))?.has(anchor)
    })
    expect(broken).toEqual([])
  })
})

describe('a page of Markdown', () => {
  const targets = {
    pages: new Map(guidePages.map(page => [page.source, page])),
    fileAddress: (path: string) => `/files/${path}`,
  }
  const rendered = (text: string, source = 'docs/web.md') => renderPage(text, source, targets).html

  test.each([
    ['[a](contract/cards.md#42-x)', 'href="/docs/guide/contract/cards.html#42-x"'],
    ['[a](../CHANGELOG.md)', 'href="/docs/guide/changelog.html"'],
    ['[a](#here)', 'href="#here"'],
    ['[a](https://example.com/?a=1&b=2)', 'href="https://example.com/?a=1&amp;b=2" rel="noopener"'],
    ['[a](../server.json)', 'href="/files/server.json"'],
    ['`<kind>` and {{ kind }}', '<code>&lt;kind&gt;</code> and {{ kind }}'],
    ['a <kind> of its own', 'a &lt;kind&gt; of its own'],
    ['<!-- Generated -->\n\n# Title', '<h1 id="title">Title</h1>'],
    ['```sh norun\na <b> && c\n```', '<code>a &lt;b&gt; &amp;&amp; c\n</code>'],
  ])('%j', (text, html) => {
    expect(rendered(text)).toContain(html)
  })

  test('gives headings the anchors that GitHub gives them', () => {
    const html = rendered('# A\n\n## 4.2 Which `moves` exist?\n\n## Same\n\n## Same\n')
    expect(Array.from(html.matchAll(/<h\d id="([^"]*)"/g), ([, id]) => id)).toEqual([
      'a',
      '42-which-moves-exist',
      'same',
      'same-1',
    ])
  })

  test('shows the states of a diagram with what each leads to', () => {
    const html = rendered('```mermaid\nstateDiagram-v2\n  draft --> review : scope\n  draft --> done\n```')
    expect(html).toContain('<tr><td>draft</td><td>review (scope), done</td></tr>')
  })

  test('is found by its headings and the text below them', () => {
    expect(
      renderPage('# A\n\nOne `two`.\n\n## B\n\n| c | d |\n|---|---|\n| e | [f](g.md) |\n', 'docs/web.md', targets)
        .sections,
    ).toEqual([
      { heading: 'A', anchor: 'a', text: 'One two.' },
      { heading: 'B', anchor: 'b', text: 'c d e f' },
    ])
  })
})

describeInBrowser('in a browser', () => {
  const complaints: string[] = []

  async function open(path: string, looks: { readonly width?: number; readonly colorScheme?: 'light' | 'dark' } = {}) {
    const { width = 1280, ...rest } = looks
    const browser = await sharedBrowser()
    const page = await browser.newPage({ viewport: { width, height: 800 }, ...rest })
    page.on('pageerror', error => complaints.push(String(error)))
    page.on('console', message => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    await page.goto(new URL(path, world.running.url).href)
    return page
  }

  test.each([
    [base, 1280, 'light'],
    [base, 390, 'dark'],
    [`${base}workflow.html`, 1280, 'dark'],
    [`${base}web.html`, 390, 'light'],
    [`${base}contract/cards.html`, 1280, 'light'],
    [`${base}permissions.html`, 390, 'light'],
  ] as const)(
    '%s, %i wide and %s, has no serious finding and scrolls in one direction',
    async (path, width, colorScheme) => {
      const page = await open(path, { width, colorScheme })
      expect(await seriousFindings(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      expect(complaints.splice(0)).toEqual([])
      await page.close()
    },
  )

  test('the search finds a section by the keyboard alone', async () => {
    const page = await open(base)
    await page.keyboard.press('/')
    await page.keyboard.type('claim_next_card lease')
    const found = page.locator('#found a')
    const target = found.filter({ hasText: 'Work: 3. Claims' })
    await target.waitFor()
    expect(await seriousFindings(page)).toEqual([])
    for (const _ of await found.all()) {
      await page.keyboard.press('ArrowDown')
      if (await target.evaluate(link => link === link.ownerDocument.activeElement)) break
    }
    await page.keyboard.press('Enter')
    await page.waitForURL(/work\.html#3-claims$/)
    expect(complaints.splice(0)).toEqual([])
    await page.close()
  })

  test('a search without a result says so', async () => {
    const page = await open(base)
    await page.getByRole('searchbox').fill('qqqqq')
    await page.getByText('Nothing was found.').waitFor()
    await page.close()
  })

  test('on a phone the contents open at a touch and lead on', async () => {
    const page = await open(base, { width: 390 })
    const link = page.getByRole('link', { name: 'Permissions', exact: true })
    expect(await link.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Contents' }).click()
    expect(await seriousFindings(page)).toEqual([])
    await link.click()
    await page.getByRole('heading', { level: 1, name: 'Permissions' }).waitFor()
    await page.close()
  })
})
