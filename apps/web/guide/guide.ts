/** The search of the guide, which runs in the browser. Every page can be read without it. */
import './guide.css'
import type MiniSearch from 'minisearch'
import type { GuideSection } from './found.ts'

const form = document.querySelector<HTMLFormElement>('form[role=search]')!
const input = form.querySelector('input')!
const list = form.querySelector<HTMLElement>('#found')!

/** The path of the guide, the target of the link on its name. */
const root = document.querySelector<HTMLAnchorElement>('a.name')!.pathname

/** Maximum number of sections listed. */
const max = 12

let index: Promise<MiniSearch<GuideSection>> | undefined

/** The texts of all pages, loaded and indexed when somebody is about to search. */
async function makeIndex(): Promise<MiniSearch<GuideSection>> {
  const [{ default: Search }, response] = await Promise.all([import('minisearch'), fetch(`${root}search.json`)])
  const search = new Search<GuideSection>({
    fields: ['heading', 'page', 'text'],
    storeFields: ['address', 'heading', 'page', 'text'],
    searchOptions: { prefix: true, combineWith: 'AND', boost: { heading: 4, page: 2 } },
  })
  await search.addAllAsync((await response.json()) as GuideSection[])
  return search
}

const indexed = (): Promise<MiniSearch<GuideSection>> => {
  index ??= makeIndex()
  return index
}

form.hidden = false
input.addEventListener('focus', () => void indexed())
input.addEventListener('input', () => void search())
form.addEventListener('submit', event => {
  event.preventDefault()
  list.querySelector('a')?.click()
})
document.addEventListener('keydown', event => {
  if (event.key === 'Escape' && !list.hidden) {
    list.hidden = true
    input.focus()
  }
  const isTyping = event.target instanceof HTMLInputElement
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault()
    input.focus()
  }
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') step(event)
})
document.addEventListener('click', event => {
  if (!form.contains(event.target as Node) || (event.target as Element).closest('#found a')) list.hidden = true
})

/** Moves through the results with the arrow keys. */
function step(event: KeyboardEvent): void {
  const stops = [input, ...list.querySelectorAll('a')]
  const at = stops.indexOf(document.activeElement as HTMLInputElement)
  if (list.hidden || at === -1) return
  event.preventDefault()
  stops.at((at + (event.key === 'ArrowDown' ? 1 : -1)) % stops.length)!.focus()
}

async function search(): Promise<void> {
  const query = input.value.trim()
  const found = query === '' ? [] : (await indexed()).search(query)
  // If the text has changed in the meantime, a later call searches for it.
  if (query !== input.value.trim()) return
  list.hidden = query === ''
  list.replaceChildren(...(found.length === 0 ? [paragraph('Nothing was found.')] : found.slice(0, max).map(linkTo)))
}

function paragraph(text: string): HTMLElement {
  const line = document.createElement('p')
  line.textContent = text
  return line
}

function linkTo({ address, heading, page, text, terms }: { [member: string]: unknown; terms: readonly string[] }) {
  const link = document.createElement('a')
  link.href = root + String(address)
  const title = document.createElement('strong')
  title.textContent = heading === page ? String(page) : `${page}: ${heading}`
  const excerpt = document.createElement('span')
  excerpt.textContent = around(String(text), terms)
  link.append(title, excerpt)
  return link
}

/** The part of a text around the first of the terms. */
function around(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase()
  const places = terms.map(term => lower.indexOf(term)).filter(place => place !== -1)
  const from = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - 40)
  return `${from > 0 ? '…' : ''}${text.slice(from, from + 140)}${text.length > from + 140 ? '…' : ''}`
}
