import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { column, tile } from './support/board.ts'
import { browsing, describeInBrowser } from './support/browser.ts'
import { type Hands, keyboard, mouse, openButton } from './support/hands.ts'

const started = { status: 'started', name: 'Started' }
const validation = { status: 'validation', name: 'Validation' }
const done = { status: 'done', name: 'Done' }

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Creates a record with a title; the record is then open. */
async function make(hands: Hands, list: string, kind: string, title: string): Promise<void> {
  const { page } = hands
  await hands.goTo(list)
  await page.getByRole('heading', { level: 1, name: list }).waitFor()
  await hands.press(button(page, `New ${kind}`))
  await hands.write(page.getByRole('dialog').getByLabel('Title'), title)
  await hands.press(page.getByRole('dialog').getByRole('button', { name: 'Create' }))
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
}

/** Moves the open record through statuses, each once its gates are open on the page. */
async function pass(hands: Hands, ...statuses: readonly string[]): Promise<void> {
  const { page } = hands
  const moves = page.getByRole('region', { name: 'Moves' })
  for (const status of statuses) {
    await hands.press(moves.getByRole('button', { name: /Move to/ }))
    await hands.press(moves.getByRole('button', { name: status, exact: true }).and(page.locator(':not(.refused)')))
    await page.locator('.plan-state').getByText(status, { exact: true }).waitFor()
  }
}

async function openSpec(hands: Hands, title: string): Promise<void> {
  await hands.goTo('Specs')
  await hands.press(hands.page.getByRole('link', { name: title }))
  await hands.page.getByRole('heading', { level: 1, name: title }).waitFor()
}

async function addCard(hands: Hands, title: string, type: string): Promise<void> {
  const form = hands.page.getByRole('form', { name: 'New card' })
  await hands.write(form.getByLabel('Title'), title)
  await hands.choose(form.getByLabel('Type'), type)
  if (type === 'Test') await form.getByLabel('Scenario it tests').waitFor()
  await hands.press(form.getByRole('button', { name: 'Create card' }))
  await tile(hands.page, title).waitFor()
}

/** Sends the report that a move asks for. */
async function report(hands: Hands, text: string): Promise<void> {
  const dialog = hands.page.getByRole('dialog')
  await hands.write(dialog.getByLabel('What was done'), text)
  await hands.write(dialog.getByLabel('Why').first(), 'All of it is there')
  await hands.write(dialog.getByLabel('Why').last(), 'Nothing else was done')
  await hands.press(dialog.getByRole('button', { name: 'Move', exact: true }))
  await dialog.waitFor({ state: 'detached' })
}

/** Approves how the open spec is cut into cards. */
async function evaluate(hands: Hands): Promise<void> {
  await hands.press(openButton(hands.page, 'Evaluate'))
  const dialog = hands.page.getByRole('dialog', { name: 'Evaluate the plan of the spec' })
  for (const reason of await dialog.getByLabel(/^Why: /).all()) await hands.write(reason, 'Everybody has read it')
  await hands.press(dialog.getByRole('button', { name: 'Approve' }))
  await dialog.waitFor({ state: 'detached' })
}

async function openCard(hands: Hands, title: string): Promise<void> {
  await hands.press(tile(hands.page, title).getByRole('link'))
  await hands.page.getByRole('dialog').getByRole('heading', { name: title }).waitFor()
}

const closeCard = (hands: Hands) => hands.press(hands.page.getByRole('dialog').getByRole('button', { name: 'Close' }))

/** A delivery is some hundred steps in a browser: on a busy machine it takes longer than other tests, ms. */
const deliveryMs = 180_000

describeInBrowser('a delivery from idea to done', () => {
  const here = browsing()

  test.each([
    ['the mouse', mouse],
    ['the keyboard', keyboard],
  ])(
    'by %s alone',
    async (name, handsOn) => {
      const { world } = here()
      const { id: board_id, key } = await world.ok('create_board', { name: `By ${name}`, description: '' })
      const page = await here().open(`/b/${key}/board`, { width: 1900, height: 1000 })
      await page.getByText('This board has no cards yet.').waitFor()
      const hands = handsOn(page)

      await make(hands, 'Ideations', 'ideation', 'Keep the basket')
      await pass(hands, 'In review', 'Approved', 'Evaluating', 'Done')
      await make(hands, 'Refinements', 'refinement', 'Baskets of guests')
      await pass(hands, 'In review', 'Approved', 'Done')
      await make(hands, 'Specs', 'spec', 'The basket survives')
      await hands.press(button(page, 'Add to test scenarios'))
      await hands.write(page.getByRole('dialog').getByRole('textbox', { name: 'Title' }), 'Guest signs in')
      await hands.press(page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }))
      await page.getByText('Guest signs in').waitFor()
      await pass(hands, 'In review', 'Approved')

      await hands.goTo('Board')
      await hands.press(button(page, 'Add a card to Not started'))
      await addCard(hands, 'Join the baskets', 'Task')
      await addCard(hands, 'See them joined', 'Test')
      const [task] = (await world.ok('list_cards', { board_id })).toSorted(byTitle)
      await openSpec(hands, 'The basket survives')
      await pass(hands, 'Validated')
      await evaluate(hands)
      await pass(hands, 'In progress')

      await hands.goTo('Board')
      await hands.moveCard('Join the baskets', started)
      await column(page, 'started').getByText('Join the baskets').waitFor()
      await hands.moveCard('Join the baskets', validation)
      await report(hands, 'Joined them')
      await column(page, 'validation').getByText('Join the baskets').waitFor()
      await openCard(hands, 'Join the baskets')
      await hands.press(button(page, 'Validate').and(page.locator(':not([aria-disabled])')))
      const verdict = page.getByRole('dialog', { name: `Validate ${task.ref}` })
      await hands.write(verdict.getByLabel('What you looked at'), 'Tried it')
      await hands.press(verdict.getByRole('button', { name: 'Approve' }))
      await page.getByText('Approved').first().waitFor()
      await closeCard(hands)
      await column(page, 'done').getByText('Join the baskets').waitFor()

      await hands.moveCard('See them joined', started)
      await column(page, 'started').getByText('See them joined').waitFor()
      await openCard(hands, 'See them joined')
      await hands.press(button(page, 'Record result: Guest signs in').and(page.locator(':not([aria-disabled])')))
      const result = page.getByRole('dialog', { name: 'Result of a test scenario' })
      await hands.write(result.getByLabel('Output of the run'), '1 passed')
      await hands.press(result.getByRole('button', { name: 'Record result' }))
      await result.waitFor({ state: 'detached' })
      await page.getByText('Passed', { exact: true }).waitFor()
      await closeCard(hands)
      await hands.moveCard('See them joined', done)
      await report(hands, 'Ran it')
      await column(page, 'done').getByText('See them joined').waitFor()

      await openSpec(hands, 'The basket survives')
      await pass(hands, 'Done')
      expect(await world.ok('get_spec', { spec_id: task.spec_id })).toMatchObject({ status: 'done' })
    },
    deliveryMs,
  )
})

const byTitle = (a: { readonly title: string }, b: { readonly title: string }) => a.title.localeCompare(b.title)
