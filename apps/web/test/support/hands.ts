import type { Locator, Page } from 'playwright-core'
import { column, drag, tile } from './board.ts'

/** The button of an action once the action is possible; before that, the button has a title that says why not. */
export const openButton = (page: Page, name: string): Locator =>
  page.getByRole('button', { name, exact: true }).and(page.locator(':not([title])'))

/** How somebody uses the pages, with one kind of input only. */
export interface Hands {
  readonly page: Page
  /** Opens a page of the navigation. */
  goTo(name: string): Promise<void>
  press(target: Locator): Promise<void>
  write(target: Locator, text: string): Promise<void>
  choose(select: Locator, label: string): Promise<void>
  moveCard(title: string, to: { readonly status: string; readonly name: string }): Promise<void>
}

/** The mouse for everything; the keyboard only for texts. */
export const mouse = (page: Page): Hands => ({
  page,
  goTo: name => page.getByRole('navigation').getByRole('link', { name, exact: true }).first().click(),
  press: target => target.click(),
  async write(target, text) {
    await target.click()
    await target.fill(text)
  },
  async choose(select, label) {
    // The list of a select is a window of the system, which no page sees.
    await select.selectOption({ label })
  },
  moveCard: (title, { status }) => drag(page, title, status),
})

/** More steps than any page needs. */
const maxSteps = 200

const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluate(element => element.matches(':focus')).catch(() => false)

/** The keys that open the pages. */
const pageKeys: Readonly<Record<string, string>> = { Board: 'b', Ideations: 'd', Refinements: 'r', Specs: 's' }

/** The keyboard only; Tab reaches whatever has no key of its own. */
export function keyboard(page: Page): Hands {
  const { keyboard: keys } = page
  const reach = async (target: Locator) => {
    await target.waitFor()
    for (let step = 0; step < maxSteps; step++) {
      if (await isFocused(target)) return
      await keys.press('Tab')
    }
    throw new Error(`Tab does not lead to ${target}.`)
  }
  /** Walks over the board by the arrows to a card. */
  const reachCard = async (title: string) => {
    const card = tile(page, title).getByRole('link')
    await card.waitFor()
    for (let right = 0; right < 7; right++) {
      for (let down = 0; down < 4; down++) {
        await keys.press('ArrowDown')
        if (await isFocused(card)) return
      }
      await keys.press('ArrowRight')
      if (await isFocused(card)) return
    }
    throw new Error(`No arrow leads to ${title}.`)
  }
  return {
    page,
    async goTo(name) {
      await keys.press('g')
      await keys.press(pageKeys[name]!)
    },
    async press(target) {
      await reach(target)
      await keys.press((await target.getAttribute('type')) === 'checkbox' ? 'Space' : 'Enter')
    },
    async write(target, text) {
      await reach(target)
      await keys.type(text)
    },
    async choose(select, label) {
      await reach(select)
      await keys.type(label)
    },
    async moveCard(title, { status, name }) {
      await reachCard(title)
      await keys.press('m')
      await page.getByRole('menuitem', { name }).waitFor()
      const item = page.getByRole('menuitem', { name })
      for (let step = 0; step < 7 && !(await isFocused(item)); step++) await keys.press('ArrowDown')
      await keys.press('Enter')
      await column(page, status).waitFor()
    },
  }
}
