import { readFile } from 'node:fs/promises'
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser } from './support/browser.ts'
import { corpus } from './support/hostile.ts'

const drawing = {
  type: 'excalidraw',
  elements: [
    { id: 'r', type: 'rectangle', x: 0, y: 0, width: 160, height: 70 },
    { id: 't', type: 'text', x: 20, y: 20, width: 100, height: 25, text: 'Web shop', fontSize: 20 },
  ],
}

/** The source of an image, once the browser has drawn it. */
const drawnIn = (image: Locator): Promise<string> =>
  image.evaluate(element => element.decode().then(() => decodeURIComponent(element.currentSrc)))

describeInBrowser('architecture', () => {
  const here = browsing()

  const design = async (fields: Readonly<Record<string, unknown>>) => {
    const { world } = here()
    const scene = await Scene.on(world)
    const spec_id = await scene.spec('in_progress', { title: 'Checkout' })
    const key = await scene.boardKey()
    const input = { spec_id, title: 'Shop', global_description: 'How it works.', ...fields }
    return { key, id: (await world.ok('create_spec_architecture', input)).id }
  }

  test('a drawing fills the screen, and is saved as a picture', async () => {
    const { key, id } = await design({
      diagrams: [
        { id: 'a', title: 'Context', format: 'excalidraw_json', adapter_payload: drawing },
        { id: 'b', title: 'Calls', format: 'mermaid', adapter_payload: 'sequenceDiagram\n  Shop->>Billing: charge' },
        { id: 'e', title: 'Rooms', format: 'plantuml', adapter_payload: '[Shop] --> [Billing]' },
      ],
    })
    const page = await here().open(`/b/${key}/architecture/${id}`)
    await drawnIn(page.getByRole('img', { name: 'Calls' }))
    const save = async (title: string, as: string) => {
      await page.getByRole('button', { name: `More: ${title}` }).click()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: as }).click(),
      ])
      return { name: download.suggestedFilename(), content: await readFile(await download.path()) }
    }
    const scene = await save('Context', 'Save as drawing (SVG)')
    expect(scene.name).toBe('Context.svg')
    expect(scene.content.toString()).toMatch(/<tspan[^>]*>Web shop</)
    const calls = await save('Calls', 'Save as picture (PNG)')
    expect([calls.name, calls.content.subarray(1, 4).toString()]).toEqual(['Calls.png', 'PNG'])
    expect(await page.getByRole('button', { name: 'Full screen: Rooms' }).isVisible()).toBe(false)
    const source = await save('Calls', 'Save the source')
    expect([source.name, source.content.toString()]).toEqual(['Calls.mmd', 'sequenceDiagram\n  Shop->>Billing: charge'])
    const large = page.getByRole('button', { name: 'Full screen: Context' })
    await large.focus()
    await page.keyboard.press('Enter')
    const viewer = page.getByRole('dialog', { name: 'Context' })
    const image = viewer.getByRole('img', { name: 'Context' })
    await viewer.getByRole('region', { name: 'Context' }).and(page.locator(':focus')).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    const { width } = (await image.boundingBox())!
    await page.keyboard.press('+')
    await viewer.getByText('150 %').waitFor()
    expect((await image.boundingBox())!.width).toBeCloseTo(width * 1.5, 0)
    await viewer.getByRole('button', { name: 'Smaller' }).click()
    await viewer.getByRole('button', { name: 'Smaller' }).click()
    await viewer.getByText('75 %').waitFor()
    await viewer.getByRole('button', { name: 'All of it' }).click()
    await viewer.getByText('100 %').waitFor()
    expect((await image.boundingBox())!.width).toBeCloseTo(width, 0)
    await page.keyboard.press('Escape')
    await viewer.waitFor({ state: 'detached' })
    await large.and(page.locator(':focus')).waitFor()
  })

  test.each(['light', 'dark'] as const)('diagrams are drawn or shown as text, %s', async colorScheme => {
    const { key } = await design({
      diagrams: [
        { id: 'a', title: 'Context', format: 'excalidraw_json', adapter_payload: drawing },
        { id: 'b', title: 'Calls', format: 'mermaid', adapter_payload: 'sequenceDiagram\n  Shop->>Billing: charge' },
        { id: 'd', title: 'Weeks', format: 'mermaid', adapter_payload: 'gantt\n  title Weeks' },
        { id: 'e', title: 'Rooms', format: 'plantuml', adapter_payload: '[Shop] --> [Billing]' },
        { id: 'c', title: 'Picture', format: 'svg', adapter_payload: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
      ],
    })
    const page = await here().open(`/b/${key}/architecture`, { colorScheme })
    await page.getByText('Checkout').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('link', { name: 'Shop' }).click()
    await page.getByRole('img', { name: 'Context' }).getByText('Web shop').waitFor()
    const calls = page.getByRole('figure').filter({ hasText: 'Calls' })
    expect(await drawnIn(calls.getByRole('img', { name: 'Calls' }))).toContain(
      colorScheme === 'dark' ? '--fg:#e8eaee' : '--fg:#1b1d22',
    )
    await calls.getByText('As text').click()
    await calls.getByText('Shop->>Billing: charge').waitFor()
    const weeks = page.getByRole('figure').filter({ hasText: 'Weeks' })
    await weeks.getByText('it cannot be drawn').waitFor()
    await weeks.getByText('title Weeks').waitFor()
    await page.getByText('[Shop] --> [Billing]').waitFor()
    await page.getByRole('img', { name: 'Picture' }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
  })

  test('a diagram in a text is drawn there', async () => {
    const graph = '```mermaid\n%% calls\nflowchart LR\n  Shop -->|charges| Billing\n```'
    const { key, id } = await design({ global_description: `Before.\n\n${graph}\n\nAfter.` })
    const page = await here().open(`/b/${key}/architecture/${id}`)
    expect(await drawnIn(page.getByRole('img', { name: 'Diagram' }))).toContain('charges')
    await page.getByText('After.').waitFor()
    expect(await seriousFindings(page)).toEqual([])
  })

  test('versions are compared', async () => {
    const { key, id } = await design({ entities: [{ name: 'Shop' }] })
    const entities = [{ name: 'Shop' }, { name: 'Mail' }]
    await here().world.ok('update_architecture', { design_id: id, entities, change_summary: 'Sends mail' })
    const page = await here().open(`/b/${key}/architecture/${id}`)
    await page.getByText('Sends mail').waitFor()
    await page.getByRole('button', { name: 'Compare with the previous one: Version 2' }).click()
    await page.getByRole('region', { name: 'From version 1 to 2' }).getByText('Mail').waitFor()
    expect(await seriousFindings(page)).toEqual([])
  })

  test('what is hostile in texts and pictures does nothing', async () => {
    const attack = '<svg xmlns="http://www.w3.org/2000/svg"><script>parent.attacked=1</script></svg>'
    const nodes = corpus.map((text, index) => `  n${index}["${text.replaceAll('"', '#quot;')}"] --> n0`)
    const hostileGraph = ['graph TD', ...nodes, '  click n0 "javascript:window.attacked=7"'].join('\n')
    const { key, id } = await design({
      global_description: corpus.join('\n\n'),
      diagrams: [
        { id: 'a', title: corpus[0], format: 'svg', adapter_payload: attack },
        { id: 'b', title: 'Calls', format: 'mermaid', adapter_payload: hostileGraph },
      ],
    })
    const page = await here().open(`/b/${key}/architecture/${id}`)
    await page.locator('img.drawn').waitFor()
    await drawnIn(page.getByRole('img', { name: 'Calls' }))
    await page.locator('.markdown').first().waitFor()
    expect(await page.evaluate(() => 'attacked' in globalThis)).toBe(false)
  })

  test('a diagram is drawn by its text with a live picture, and kept as a draft until it is saved', async () => {
    const { key, id } = await design({})
    const page = await here().open(`/b/${key}/architecture/${id}`)
    await page.getByRole('button', { name: 'Add a diagram' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a diagram' })
    await dialog.getByLabel('Title').fill('Calls')
    await dialog.getByRole('textbox', { name: 'Source' }).fill('flowchart LR\n  Shop --> Billing')
    expect(await drawnIn(dialog.getByRole('img', { name: 'Preview' }))).toContain('Billing')
    expect(await seriousFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await drawnIn(page.getByRole('img', { name: 'Calls' }))).toContain('Billing')
    await page.getByRole('button', { name: 'Edit Calls' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit the diagram' })
    await edit.getByRole('textbox', { name: 'Source' }).fill('flowchart LR\n  Shop --> Ledger')
    await edit.getByRole('button', { name: 'Save' }).click()
    await edit.waitFor({ state: 'detached' })
    await expect.poll(() => drawnIn(page.getByRole('img', { name: 'Calls' }))).toContain('Ledger')
    await page.getByRole('button', { name: 'More: Calls' }).click()
    await page.getByRole('menuitem', { name: 'Remove Calls' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No diagrams.').waitFor()
  })

  test('a drawing is taken from a file, beside what is there; what is none is refused in words', async () => {
    const { key, id } = await design({
      diagrams: [{ id: 'b', title: 'Before', format: 'mermaid', adapter_payload: 'flowchart LR\n  Old' }],
    })
    const page = await here().open(`/b/${key}/architecture/${id}`)
    await page.getByRole('button', { name: 'Add a diagram' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a diagram' })
    const choose = (name: string, content: string) =>
      dialog
        .locator('input[type="file"]')
        .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) })
    await choose('photo.bmp', 'x')
    await dialog.getByRole('alert').getByText('“photo.bmp” is not a drawing').waitFor()
    await choose('shop.excalidraw', '{"type":"excalidraw"}')
    await dialog.getByRole('alert').getByText('This is not an Excalidraw drawing').waitFor()
    await choose('shop.excalidraw', JSON.stringify(drawing))
    await dialog.getByRole('img', { name: 'Preview' }).getByText('Web shop').waitFor()
    expect(await dialog.getByLabel('Title').inputValue()).toBe('shop')
    expect(await dialog.getByLabel('Notation').inputValue()).toBe('excalidraw_json')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('img', { name: 'shop' }).getByText('Web shop').waitFor()
    expect(await drawnIn(page.getByRole('img', { name: 'Before' }))).toContain('Old')
  })

  test('a design is made on a spec, and a mockup written, taken from a picture and removed', async () => {
    const { world } = here()
    const scene = await Scene.on(world)
    const spec_id = await scene.spec('draft', { title: 'Checkout' })
    const key = await scene.boardKey()
    const { ref } = await world.ok('get_spec', { spec_id })
    const page = await here().open(`/b/${key}/specs/${ref}`)
    await page.getByRole('button', { name: 'Add a mockup' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a mockup' })
    await dialog.getByLabel('Title').fill('Basket')
    await dialog.locator('input[type="file"]').setInputFiles({
      name: 'basket.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    })
    await dialog
      .frameLocator('iframe')
      .frameLocator('iframe')
      .getByRole('img', { name: 'basket.svg' })
      .waitFor({ state: 'attached' })
    await dialog.getByLabel('HTML', { exact: true }).fill('<h1>Three articles</h1>')
    await dialog
      .frameLocator('iframe')
      .frameLocator('iframe')
      .getByRole('heading', { name: 'Three articles' })
      .waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.locator('summary', { hasText: 'Basket' }).click()
    await page.getByRole('button', { name: 'Full screen: Basket' }).click()
    const viewer = page.getByRole('dialog', { name: 'Basket' })
    await viewer.frameLocator('iframe').frameLocator('iframe').getByText('Three articles').waitFor()
    await page.keyboard.press('-')
    await viewer.getByText('75 %').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await viewer.getByRole('button', { name: 'Save: Basket' }).click()
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Save as page (HTML)' }).click(),
    ])
    expect([saved.suggestedFilename(), await readFile(await saved.path(), 'utf8')]).toEqual([
      'Basket.html',
      '<h1>Three articles</h1>',
    ])
    await page.keyboard.press('Escape')
    await viewer.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Edit Basket' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit Basket' })
    await edit.getByLabel('Title').fill('Small basket')
    await edit.getByRole('button', { name: 'Save' }).click()
    await edit.waitFor({ state: 'detached' })
    await page.locator('summary', { hasText: 'Small basket' }).waitFor()
    const stored = (await world.ok('get_spec', { spec_id })).screen_mockups
    expect(stored).toMatchObject([{ title: 'Small basket', html_content: '<h1>Three articles</h1>' }])
    await page.getByRole('button', { name: 'More: Small basket' }).click()
    await page.getByRole('menuitem', { name: 'Remove Small basket' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.locator('summary', { hasText: 'Small basket' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Add a design' }).click()
    const adding = page.getByRole('dialog', { name: 'Add a design' })
    await adding.getByLabel('Title').fill('Kept in a cookie')
    await adding.getByLabel('What it is about').fill('How the basket is kept.')
    await adding.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('heading', { name: 'Kept in a cookie' }).waitFor()
  })
})
