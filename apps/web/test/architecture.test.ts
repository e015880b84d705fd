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
    const written = { spec_id, title: 'Shop', global_description: 'How it works.', ...fields }
    return { key, id: (await world.ok('create_spec_architecture', written)).id }
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
      await page.getByRole('button', { name: `Save: ${title}` }).click()
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
    expect(await page.getByRole('button', { name: 'Save: Rooms' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Full screen: Context' }).click()
    const whole = page.locator('.drawn-frame:fullscreen')
    await whole.waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Full screen: Context' }).click()
    await whole.waitFor({ state: 'detached' })
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
})
