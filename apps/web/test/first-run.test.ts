import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { seriousFindings } from './support/axe.ts'
import { tile } from './support/board.ts'
import { browsing, describeInBrowser } from './support/browser.ts'

/** A folder with the backlog of another tool, and files that do not belong to it. */
const backlog = async (name: string): Promise<string> => {
  const folder = join(await mkdtemp(join(tmpdir(), 'specboard-')), name)
  await mkdir(join(folder, '.git'), { recursive: true })
  await mkdir(join(folder, 'backlog', 'tasks'), { recursive: true })
  await writeFile(join(folder, '.git', 'HEAD'), 'ref: refs/heads/main')
  await writeFile(join(folder, 'backlog', 'config.yml'), `project_name: "${name}"\n`)
  for (const [number, title] of ['Knead the dough', 'Light the oven'].entries())
    await writeFile(
      join(folder, 'backlog', 'tasks', `task-${number + 1} - ${title}.md`),
      `---\nid: task-${number + 1}\ntitle: ${title}\nstatus: To Do\n---\n`,
    )
  return folder
}

describeInBrowser('a first visit', () => {
  const here = browsing()

  test('leads to a board to look around in', async () => {
    const page = await here().open('/')
    await page.getByRole('button', { name: 'Load the demo board' }).click()
    await page.getByText('Join both baskets').waitFor()
    await page.locator('.tile', { hasText: 'Join both baskets' }).getByTitle('0 of 2 scenarios passed').waitFor()
    expect(await seriousFindings(page)).toEqual([])
  })

  test('leads through importing a board, which is then open', async () => {
    const page = await here().open('/')
    await page.getByRole('button', { name: 'Import a board' }).click()
    const csv = 'title,status\nBrought along,To Do\n'
    await page.getByLabel('File').setInputFiles({ name: 'tasks.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await page.getByText('Nothing has been written yet').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('link', { name: /^Open / }).click()
    await page.getByText('Brought along').waitFor()
  })

  test('leads from an empty board to the first card, which needs no spec', async () => {
    const page = await here().open('/')
    await page.getByRole('button', { name: 'Create board' }).click()
    await page.getByLabel('Name').fill('Bakery')
    await page.getByRole('button', { name: 'Create board' }).click()
    await page.getByRole('button', { name: 'Add the first card' }).click()
    const form = page.getByRole('form', { name: 'New card' })
    await form.getByLabel('Title').fill('Sweep the floor')
    expect(await seriousFindings(page)).toEqual([])
    await form.getByRole('button', { name: 'Create card' }).click()
    await tile(page, 'Sweep the floor').waitFor()
  })

  test('leads by the first spec where the board wants no small changes', async () => {
    const settings = { small_changes: false }
    const { key } = await here().world.ok('create_board', { name: 'Planned', description: '', settings })
    const page = await here().open(`/b/${key}/board`)
    await page.getByRole('button', { name: 'Add the first card' }).click()
    const first = page.getByRole('form', { name: 'Start with a spec' })
    await first.getByText('This board has no spec yet.').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await first.getByLabel('What is to be built').fill('Orders by telephone')
    await first.getByRole('button', { name: 'Create spec' }).click()
    const form = page.getByRole('form', { name: 'New card' })
    await form.getByLabel('Title').fill('Note who calls')
    await form.getByLabel('Type').selectOption({ label: 'Test' })
    await form.getByRole('link', { name: /^Write one in / }).waitFor()
    await form.getByLabel('Type').selectOption({ label: 'Task' })
    await form.getByRole('button', { name: 'Create card' }).click()
    await tile(page, 'Note who calls').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('leads from an empty board to the spec that waits for approval', async () => {
    const { world } = here()
    const { id: board_id, key } = await world.ok('create_board', {
      name: 'Waiting',
      description: '',
      settings: { small_changes: false },
    })
    const { ref } = await world.ok('create_spec', { board_id, title: 'Orders by post' })
    const page = await here().open(`/b/${key}/board`)
    await page.getByRole('button', { name: 'Add a card to Started' }).click()
    await page.getByRole('link', { name: `${ref} Orders by post` }).click()
    await page.getByRole('heading', { level: 1, name: 'Orders by post' }).waitFor()
  })
})

describeInBrowser('a first visit with a folder', () => {
  const here = browsing()

  test('takes a folder that is dropped whole', async () => {
    const folder = await backlog('Bakery by drop')
    const page = await here().open('/')
    await page.getByText('drop it here').waitFor()
    const { x, y } = (await page.getByText('drop it here').boundingBox())!
    const devtools = await page.context().newCDPSession(page)
    const data = { items: [], files: [folder], dragOperationsMask: 1 }
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await devtools.send('Input.dispatchDragEvent', { type, x: x + 20, y: y + 10, data })
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Nothing has been written yet').waitFor()
    await dialog.getByText('Read as Backlog.md.').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await dialog.getByRole('link', { name: /^Open / }).click()
    await tile(page, 'Knead the dough').waitFor()
    await tile(page, 'Light the oven').waitFor()
  })

  test('takes a folder that is chosen, on the page of a board too', async () => {
    const folder = await backlog('Bakery by choice')
    const { key } = await here().world.ok('create_board', { name: 'Bakery', description: '' })
    const page = await here().open(`/b/${key}/settings/exchange`)
    await page.getByLabel('Choose a folder').setInputFiles(folder)
    await page.getByText('Read as Backlog.md.').waitFor()
    await page.getByText('Bakery by choice').waitFor()
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('Imported.').waitFor()
    await page.goto(`${here().url}/b/${key}/board`)
    await tile(page, 'Light the oven').waitFor()
  })
})
