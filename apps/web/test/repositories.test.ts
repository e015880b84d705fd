import { beforeAll, expect, test } from 'vitest'
import { sendEvent, settled } from '../../cli/test/support/forge.ts'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser, phone } from './support/browser.ts'

describeInBrowser('the repositories of a board (git 10)', () => {
  const here = browsing()
  let scene: Scene
  let key: string

  beforeAll(async () => {
    scene = await Scene.on(here().world)
    key = await scene.boardKey()
  })

  const open = async (looks = {}) => {
    const page = await here().open(`/b/${key}/settings/repositories`, looks)
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    return page
  }

  test('what somebody else connects, changes and deletes is seen live', async () => {
    const { world } = here()
    const page = await open()
    await page.getByText('No repositories').waitFor()
    const { id: repository_id } = await world.ok('create_repository', {
      board_id: scene.boardId,
      url: 'https://github.com/acme/elsewhere',
    })
    await page.getByRole('heading', { name: 'elsewhere' }).waitFor()
    await world.ok('update_repository', { repository_id, name: 'renamed' })
    await page.getByRole('heading', { name: 'renamed' }).waitFor()
    await world.ok('delete_repository', { repository_id })
    await page.getByText('No repositories').waitFor()
  })

  const push = (ref: string) => ({
    ref: 'refs/heads/work',
    before: 'a'.repeat(40),
    after: 'b'.repeat(40),
    commits: [
      {
        id: 'b'.repeat(40),
        message: `Bake it\n\nSpecboard: ${ref}`,
        timestamp: '2026-11-20T08:20:05Z',
        author: { name: 'Mo Baker', email: 'mo@example.com' },
        added: [],
        removed: [],
        modified: ['oven.ts'],
      },
    ],
    head_commit: { id: 'b'.repeat(40) },
    repository: { full_name: 'acme/bakery', default_branch: 'main' },
  })

  test.each([
    ['light', {}],
    ['dark', { ...phone, colorScheme: 'dark' }],
  ] as const)(
    'one is connected in three steps, the first event is seen live, and its author is told who it is, %s',
    async (word, looks) => {
      const { world } = here()
      const { ref } = await world.ok('get_card', { card_id: await scene.workableCard({ title: 'Bake' }) })
      const page = await open(looks)
      await page.getByRole('button', { name: 'Connect a repository' }).click()
      const form = page.getByRole('dialog', { name: /1\. its address/ })
      expect(await seriousFindings(page)).toEqual([])
      await form.getByLabel('Address').fill(`https://github.com/acme/${word}-bakery`)
      await form.getByRole('button', { name: 'Continue' }).click()
      const paste = page.getByRole('dialog', { name: '2. Tell GitHub where to send events' })
      const address = await paste.getByRole('region', { name: 'Payload URL' }).textContent()
      const secret = await paste.getByRole('region', { name: 'Secret' }).textContent()
      await paste.getByText('Waiting for the first event.').waitFor()
      expect(await seriousFindings(page)).toEqual([])
      const id = address!.split('/').at(-1)!
      expect(address).toBe(`${here().url}/hooks/forge/${id}`)
      const payload = push(ref)
      payload.repository.full_name = `acme/${word}-bakery`
      await sendEvent(world, id, { event: 'push', payload, secret: 'another secret' })
      await paste.getByText('Events come, but their signature is wrong').waitFor()
      expect(await seriousFindings(page)).toEqual([])
      await sendEvent(world, id, { event: 'push', payload, secret: secret! })
      await settled(world, id)
      await paste.getByText('The first event has come.').waitFor()
      await paste.getByRole('button', { name: 'I have copied it' }).click()
      await paste.waitFor({ state: 'detached' })

      const article = page.getByRole('article').filter({ hasText: `${word}-bakery` })
      await article.getByText('Events', { exact: true }).click()
      await article.getByRole('cell', { name: 'push' }).waitFor()
      await article.locator('.badge', { hasText: 'Done' }).waitFor()
      const author = page.getByLabel('Person or agent of Mo Baker <mo@example.com>')
      await author.selectOption('Local Owner')
      await expect
        .poll(async () => (await world.ok('list_authors', { board_id: scene.boardId }))[0])
        .toMatchObject({ agent_id: world.owner.id, source: 'set' })
      await expect.poll(() => author.inputValue()).toBe(world.owner.id)
      expect(await seriousFindings(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
        (await page.evaluate('innerWidth')) as number,
      )
      await author.selectOption('Unknown')
      await expect.poll(() => author.inputValue()).toBe('')
    },
  )

  test.each([
    ['light', {}],
    ['dark', { ...phone, colorScheme: 'dark' }],
  ] as const)('what failed is found among its events, and tried again, %s', async (word, looks) => {
    const { world } = here()
    const url = `https://github.com/acme/${word}-failing`
    const { id, webhook_secret: secret } = await world.ok('create_repository', { board_id: scene.boardId, url })
    const repository = { full_name: `acme/${word}-failing`, default_branch: 'main' }
    await sendEvent(world, id, { event: 'push', payload: { repository }, secret })
    for (let count = 0; count < 20; count++)
      await sendEvent(world, id, { event: 'star', payload: { repository }, secret })
    await settled(world, id)
    const page = await open(looks)
    const article = page.getByRole('article').filter({ hasText: `${word}-failing` })
    await article.getByText('Events', { exact: true }).click()
    const events = article.getByRole('row').filter({ hasText: 'star' })
    await expect.poll(() => events.count()).toBe(20)
    await article.getByRole('button', { name: 'Show earlier ones' }).click()
    await article.getByRole('cell', { name: 'push' }).waitFor()
    const states = article.getByLabel('In which state')
    await states.selectOption('Waiting')
    await article.getByText('There are none in this state.').waitFor()
    await states.selectOption('Failed')
    const failed = article.getByRole('row').filter({ hasText: 'push' })
    await failed.getByText('Failed').waitFor()
    expect(await events.count()).toBe(0)
    expect(await seriousFindings(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
      (await page.evaluate('innerWidth')) as number,
    )
    const processedAt = async () =>
      (await world.ok('list_forge_deliveries', { repository_id: id, event: 'push' }))[0].processed_at
    const before = await processedAt()
    await failed.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(processedAt).not.toBe(before)
    await world.ok('delete_repository', { repository_id: id })
  })

  test('one is edited, switched off, given a new secret and deleted', async () => {
    const { world } = here()
    const url = 'https://git.example.com/acme/oven.git'
    const repository = await world.ok('create_repository', { board_id: scene.boardId, url, forge: 'gitea' })
    const now = () => world.ok('get_repository', { repository_id: repository.id })
    const page = await open()
    const choose = async (item: string) => {
      await page.getByRole('button', { name: /^Actions for (?:oven|Ovens)$/ }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await choose('Edit')
    const form = page.getByRole('dialog', { name: 'Edit the repository' })
    await form.getByLabel('Name').fill('Ovens')
    await form.getByLabel('Folder of this board').fill('ovens')
    await form.getByLabel('Checks that must be green').fill('unit, e2e::*')
    expect(await seriousFindings(page)).toEqual([])
    await form.getByRole('button', { name: 'Save', exact: true }).click()
    await form.waitFor({ state: 'detached' })
    expect(await now()).toMatchObject({ name: 'Ovens', path_prefix: 'ovens', required_checks: ['unit', 'e2e::*'] })
    await page.getByRole('heading', { name: 'Ovens' }).waitFor()

    await choose('Test reports of its pipeline')
    const pipeline = page.getByRole('dialog', { name: 'Test reports of Ovens' })
    await pipeline.getByText('Its jobs have no tokens').waitFor()
    await pipeline.getByLabel('Pipeline', { exact: true }).selectOption('Forgejo Actions')
    await pipeline.getByText('enable-openid-connect: true').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await pipeline.getByRole('button', { name: 'Trust its jobs' }).click()
    await pipeline.getByText('Jobs with tokens of https://git.example.com/api/actions count for').waitFor()
    expect((await now()).ci).toMatchObject({ issuer: 'https://git.example.com/api/actions' })
    await page.keyboard.press('Escape')
    await pipeline.waitFor({ state: 'detached' })

    await choose('Switch off')
    await page.getByText('Off', { exact: true }).waitFor()
    expect((await now()).active).toBe(false)

    await choose('New secret')
    await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click()
    const paste = page.getByRole('dialog', { name: '2. Tell Gitea where to send events' })
    expect(await paste.getByRole('region', { name: 'Secret' }).textContent()).not.toBe(repository.webhook_secret)
    await paste.getByRole('button', { name: 'I have copied it' }).click()
    await paste.waitFor({ state: 'detached' })

    await choose('Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Ovens' }).waitFor({ state: 'detached' })
    expect((await world.call('get_repository', { repository_id: repository.id })).status).toBe(404)
  })

  test('what is refused is told in the form, and a repository without a forge is told by the command line', async () => {
    const page = await open()
    await page.getByRole('button', { name: 'Connect a repository' }).click()
    const form = page.getByRole('dialog', { name: /1\. its address/ })
    await form.getByLabel('Address').fill('https://git.example.com/acme/plain')
    await form.getByRole('button', { name: 'Continue' }).click()
    await form.getByRole('alert').waitFor()
    await form.getByLabel('Forge').selectOption('None: the command line reports commits')
    await form.getByRole('button', { name: 'Continue' }).click()
    const dialog = page.getByRole('dialog', { name: '2. Report commits from a clone' })
    await dialog.getByText('specboard git install-hooks').waitFor()
    await dialog.getByText('Waiting for the first commits.').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    const { world } = here()
    const commits = [{ sha: 'c'.repeat(40), parents: [], subject: 'Begin', branch: 'main' }]
    await world.ok('record_changes', { board_id: scene.boardId, repository_id: 'plain', commits })
    await dialog.getByText('The first commits have come.').waitFor()
  })
})
