/** References to records in the texts of changes (git 4). Pure, and linear in the text. */
import type { LinkedHow } from '@specboard/contract'
import type { z } from 'zod'
import { parseReference, type Reference } from '../../lib/reference.ts'

/** How a text names a record. */
export type How = z.output<typeof LinkedHow>

/** A reference that a text names, and how. */
export interface Mention extends Reference {
  readonly how: How
}

/** Maximum number of records of a change. */
export const maxLinks = 20

const inKey = /[A-Z0-9]/
const word = /[A-Za-z0-9_]/
const before = /[A-Za-z0-9_\-/.#@]/
const digit = /[0-9]/

/** Maximum number of characters of a key, and of a number. */
const maxLength = { key: 10, number: 15 } as const

/** Whether the text after a reference would make it part of something longer. */
function continues(text: string, end: number): boolean {
  const [next = '', further = ''] = [text[end], text[end + 1]]
  return word.test(next) || ((next === '-' || next === '.') && digit.test(further))
}

/** The reference around a dash; undefined if there is none, or it is part of a longer word. */
function referenceAt(text: string, dash: number): Reference | undefined {
  let start = dash
  while (start > 0 && dash - start <= maxLength.key && inKey.test(text[start - 1]!)) start--
  let end = dash + 1
  while (end < text.length && end - dash <= maxLength.number + 1 && digit.test(text[end]!)) end++
  if (before.test(text[start - 1] ?? '') || continues(text, end)) return undefined
  return parseReference(text.slice(start, end))
}

/** The references in a text, in upper case and each a word of its own. */
export function referencesIn(text: string): Reference[] {
  const found: Reference[] = []
  for (let dash = text.indexOf('-'); dash !== -1; dash = text.indexOf('-', dash + 1)) {
    const reference = referenceAt(text, dash)
    if (reference !== undefined) found.push(reference)
  }
  return found
}

const fence = /^ {0,3}(```+|~~~+)/

/** The lines of a text without code (fences and indented blocks) and without quoted lines. */
function plainLines(text: string): string[] {
  const lines: string[] = []
  let open: string | undefined
  for (const line of text.split('\n')) {
    const mark = fence.exec(line)?.[1]?.slice(0, 3)
    if (open !== undefined) {
      if (mark === open) open = undefined
      lines.push('')
    } else if (mark !== undefined) {
      open = mark
      lines.push('')
    } else lines.push(line.startsWith('    ') || line.startsWith('\t') || line.trimStart().startsWith('>') ? '' : line)
  }
  return lines
}

/** A text without what is between two marks; an open one extends to the end if `toEnd` says so. */
function without(text: string, from: string, to: string, toEnd: boolean): string {
  const parts: string[] = []
  let at = 0
  for (;;) {
    const start = text.indexOf(from, at)
    const end = start === -1 ? -1 : text.indexOf(to, start + from.length)
    if (start === -1 || (end === -1 && !toEnd)) break
    parts.push(text.slice(at, start), ' ')
    at = end === -1 ? text.length : end + to.length
  }
  return parts.join('') + text.slice(at)
}

const inScheme = /[A-Za-z0-9+.-]/
const inAddress = /[^\s<>"'`()[\]]/

/** The page of a record in an address of a board: `/b/SPE/cards/SPE-14`, with the folder of its kind. */
const page =
  /\/b\/([A-Z0-9]+)\/(?:ideations|refinements|specs|sprints|cards|coverage|lineage|r)\/([A-Z0-9]+)-([0-9]+)\/?$/

/**
 * The reference of the record at an address; empty if it is not the page of a record.
 * @param origin by which people reach the service; if it is not known, any origin
 */
function referenceOfPage(address: string, origin: string | undefined): string {
  if (origin !== undefined && !address.startsWith(`${origin}/`)) return ''
  const [path = ''] = address.slice(0, maxPageLength).split(/[?#]/)
  const [, board, key, number] = page.exec(path.replace(/[.,;:!]$/, '')) ?? []
  return board !== undefined && board === key ? ` ${key}-${number} ` : ''
}

/** Maximum number of characters of an address that is looked at. */
const maxPageLength = 500

/** A line without addresses: a reference in one is part of the address, unless it is the page of a record. */
function withoutAddresses(line: string, origin: string | undefined): string {
  const parts: string[] = []
  let at = 0
  for (let colon = line.indexOf('://'); colon !== -1; colon = line.indexOf('://', at)) {
    let start = colon
    while (start > at && inScheme.test(line[start - 1]!)) start--
    let end = colon + 3
    while (end < line.length && inAddress.test(line[end]!)) end++
    parts.push(line.slice(at, start), ' ', referenceOfPage(line.slice(start, end), origin))
    at = end
  }
  return parts.join('') + line.slice(at)
}

/**
 * A text as it is read for references: without code, quotations, comments and addresses.
 * @param origin by which people reach the service: addresses of its pages name their records
 */
export const readable = (text: string, origin?: string): string =>
  plainLines(without(text.replaceAll('\r', ''), '<!--', '-->', true))
    .map(line => withoutAddresses(without(line, '`', '`', false), origin))
    .join('\n')

const trailerName = 'specboard'
const trailerLine = /^([A-Za-z0-9-]+)[ \t]*:[ \t]?(.*)$/

/**
 * The lines of the last block of a message, as `git interpret-trailers` reads it; empty if it is not a block of
 * trailers.
 */
function lastBlock(message: string): string[] {
  const blocks = message
    .replaceAll('\r', '')
    .trim()
    .split(/\n[ \t]*\n/)
  if (blocks.length < 2) return []
  const lines = (blocks.at(-1) ?? '').split('\n').filter(line => line.trim() !== '')
  const trailers = lines.filter(line => trailerLine.test(line) || line.startsWith(' ') || line.startsWith('\t'))
  const isOwn = lines.every(line => trailers.includes(line))
  // Git also accepts a mixed block if it contains one of Git's own trailers and a quarter of its lines are trailers.
  const hasGitTrailer = lines.some(line => /^(?:Signed-off-by: |\(cherry picked from commit )/.test(line))
  return isOwn || (hasGitTrailer && trailers.length * 3 >= lines.length - trailers.length) ? lines : []
}

/** The values of the trailers of a name, ignoring the case of the name. */
function trailersOf(message: string, name: string): string[] {
  return lastBlock(message).flatMap(line => {
    const [, own, value] = trailerLine.exec(line) ?? []
    return own?.toLowerCase() === name && value !== undefined ? [value.trim()] : []
  })
}

const listed = (value: string): Reference[] =>
  value.split(/[\s,]+/).flatMap(part => {
    const reference = /^[A-Z]/.test(part) && part === part.toUpperCase() ? parseReference(part) : undefined
    return reference === undefined ? [] : [reference]
  })

/** The records that the message of a commit names. */
export function mentionsOfCommit(message: string, places: ReadonlySet<string>, origin?: string): Mention[] {
  const trailers = trailersOf(message, trailerName).flatMap(listed)
  const words = referencesIn(readable(message, origin))
  return distinct([
    ...(places.has('trailer') ? trailers.map(reference => ({ ...reference, how: 'trailer' as const })) : []),
    ...(places.has('message')
      ? words.filter(word => !trailers.some(same(word))).map(reference => ({ ...reference, how: 'message' as const }))
      : []),
  ])
}

/** The records that the title and text of a pull request name. A trailer is a line of its own in its text. */
export function mentionsOfRequest(
  title: string,
  text: string | null,
  places: ReadonlySet<string>,
  origin?: string,
): Mention[] {
  const lines = readable(text ?? '', origin)
  const trailers = lines.split('\n').flatMap(line => {
    const [, name, value] = trailerLine.exec(line.trim()) ?? []
    return name?.toLowerCase() === trailerName && value !== undefined ? listed(value.trim()) : []
  })
  const words = referencesIn(`${readable(title, origin)}\n${lines}`)
  return distinct([
    ...(places.has('trailer') ? trailers.map(reference => ({ ...reference, how: 'trailer' as const })) : []),
    ...(places.has('pull_request')
      ? words
          .filter(word => !trailers.some(same(word)))
          .map(reference => ({ ...reference, how: 'pull_request' as const }))
      : []),
  ])
}

const same = (one: Reference) => (other: Reference) => one.key === other.key && one.number === other.number

/** The records that the name of a branch names: `spe-14` between its ends or any of `/ _ - .`, in any letter case. */
export function mentionsOfBranch(name: string): Mention[] {
  const parts = name.split(/[/_.-]/)
  return distinct(
    parts.slice(1).flatMap((number, index) => {
      const reference = parseReference(`${parts[index]}-${number}`)
      // Only a dash is between the key and the number.
      return reference !== undefined && isJoined(name, parts, index) ? [{ ...reference, how: 'branch' as const }] : []
    }),
  )
}

function isJoined(name: string, parts: readonly string[], index: number): boolean {
  const end = parts.slice(0, index + 1).join('-').length
  return name[end] === '-'
}

function distinct(mentions: readonly Mention[]): Mention[] {
  return mentions.filter((mention, index) => mentions.findIndex(same(mention)) === index)
}

const coAuthor = /^([^<]*)<([^<>]+)>$/

/** Maximum number of authors besides the first. */
const maxCoAuthors = 20

/** The other authors named in a message. */
export const coAuthorsOf = (message: string): { readonly name: string | null; readonly email: string }[] =>
  trailersOf(message, 'co-authored-by')
    .flatMap(value => {
      const [, name, email] = coAuthor.exec(value) ?? []
      return email === undefined ? [] : [{ name: name?.trim() || null, email: email.trim().toLowerCase() }]
    })
    .slice(0, maxCoAuthors)
