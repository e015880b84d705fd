/**
 * The texts that hooks give a model (harness 3.2): the service's own words, references, numbers and names of agents;
 * what others wrote is quoted in one line and truncated.
 */
import { withSpelledOut } from '../../delivery/evidence/reading/spelled-out.ts'
import { excerpt } from '../../lib/excerpt.ts'
import { quotedName } from '../../lib/quoted-name.ts'

/**
 * Tokens per character: the rate of the words in models' texts that need the most tokens, and a higher rate outside
 * ASCII.
 */
const tokensOf = { ascii: 0.36, other: 1.4 } as const

/** The approximate number of tokens of a text, erring on the high side. */
function estimatedTokens(text: string): number {
  let tokens = 0
  for (let at = 0; at < text.length; at++) tokens += text.charCodeAt(at) < 0x80 ? tokensOf.ascii : tokensOf.other
  return tokens
}

/** Lines that fit into a token budget: those that do not fit are left out, the later ones first. */
export class Lines {
  readonly #lines: string[] = []
  #remaining: number

  constructor(tokens: number) {
    this.#remaining = tokens
  }

  /** The approximate number of tokens left. */
  get remaining(): number {
    return this.#remaining
  }

  /** Adds a line if it fits. */
  add(line: string): boolean {
    const tokens = estimatedTokens(line) + 1
    if (tokens > this.#remaining) return false
    this.#remaining -= tokens
    this.#lines.push(line)
    return true
  }

  /** The text of all lines; null if there are none. */
  get text(): string | null {
    return this.#lines.length === 0 ? null : this.#lines.join('\n')
  }
}

/** Somebody else's text in quotation marks, in one line and truncated. */
export function quotedText(text: string, max: number): string {
  const line = withSpelledOut(text.replaceAll(/\s+/gu, ' ').trim())
  return JSON.stringify(line.length > max ? `${excerpt(line, max)}…` : line)
}

/** The end of somebody else's text in quotation marks, in one line: as much of it as fits into a number of tokens. */
export function quotedEnd(text: string, max: number, tokens: number): string | null {
  const line = withSpelledOut(text.replaceAll(/\s+/gu, ' ').trim())
  let start = Math.max(0, line.length - max)
  let remaining = tokens
  for (let at = line.length - 1; at >= start && remaining > 0; at--) {
    remaining -= line.charCodeAt(at) < 0x80 ? tokensOf.ascii : tokensOf.other
    if (remaining <= 0) start = at + 1
  }
  const end = line.slice(start).toWellFormed()
  return end === '' ? null : JSON.stringify(start > 0 ? `…${end}` : end)
}

/** A path as shown: unchanged if it is plain, otherwise quoted. */
const shownPath = (path: string, max = 80): string => {
  const cut = path.length > max ? `…${path.slice(path.length - max).toWellFormed()}` : path
  return /^[\w./@+*?{},[\]…-]+$/.test(cut) ? cut : quotedText(cut, max)
}

/** The name of an agent, shortened. */
export const shownName = (name: string): string => quotedName(excerpt(name, 30))

/** A time to the minute. */
const shownTime = (time: string): string => `${time.slice(0, 16)}Z`

/** The fields of a held card that are shown. */
export interface HeldCardLine {
  readonly ref: string
  readonly title: string
  readonly status: string
  readonly until: string
  readonly needs: string
  readonly attempt: number
}

/** A card that the session holds, in one line. */
export const heldLine = ({ ref, title, status, until, needs, attempt }: HeldCardLine): string =>
  `You hold ${ref} ${quotedText(title, 32)} (${status}) until ${shownTime(until)}, attempt ${attempt}; next: ${excerpt(needs, 60)}.`

/** The fields of an overlap that are shown. */
export interface OverlapLine {
  readonly ref?: string | undefined
  readonly agent_name: string
  readonly example: string
}

/**
 * Somebody else who works on the same paths, in one line.
 * @param own the card of the session that it concerns; null if both sides are reservations
 */
export function overlapLine(own: string | null, { ref, agent_name, example }: OverlapLine): string {
  const record = ref ?? own
  const agree = record === null ? 'agree first; list_overlaps shows both sides' : `agree first, ask_question ${record}`
  return `${shownName(agent_name)} works on ${shownPath(example, 60)} too${ref === undefined ? '' : `, for ${ref}`}: ${agree}.`
}

/** The fields of unread news that are shown. */
export interface NewsLine {
  readonly kind: string
  readonly record: { readonly entity_type: string }
  readonly ref: string | null
  readonly actor_name: string | null
  readonly data: Readonly<Record<string, unknown>> | null
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** News for the session, in one line. */
export function newsLine({ kind, record: { entity_type }, ref, actor_name, data }: NewsLine): string {
  const record = ref ?? 'a record'
  const who = actor_name === null ? 'Somebody' : shownName(actor_name)
  switch (kind) {
    case 'answer': {
      const answer = textOf(data?.answer)
      const quoted = answer === '' ? '' : ` ${quotedText(answer, 60)}`
      return `${who} answered your question on ${record}${quoted}: read it there.`
    }
    case 'claim_lost':
      return `Your claim on ${record} ended (${textOf(data?.reason) || 'expired'}): read ${record} before you go on.`
    case 'card_changed':
      return `${who} changed what ${record} asks for: read it again.`
    case 'card_rework':
      return `${record} came back from validation: claim_card ${record}.`
    default:
      return overlapLine(entity_type === 'card' ? ref : null, {
        ref: textOf(data?.ref) || undefined,
        agent_name: textOf(data?.agent_name),
        example: textOf(data?.example),
      })
  }
}

/** A path that somebody else works on. */
export interface EditLine {
  readonly path: string
  readonly ref: string | null
  readonly agent_name: string
  readonly until: string
}

/** The warning before an edit of a path that somebody else works on. */
export const editLine = ({ path, ref, agent_name, until }: EditLine): string =>
  `${shownPath(path, 60)} is in the scope of ${ref ?? 'a reservation'}, which ${shownName(agent_name)} works on until ${shownTime(until)}. Agree first${ref === null ? '' : `: ask_question ${ref}`}.`

/** Why an edit should not be made, in at most 300 characters. */
export const denial = ({ path, ref, agent_name, until }: EditLine): string =>
  `${shownPath(path, 70)} is in the scope of ${ref ?? 'a reservation'}, which ${shownName(agent_name)} works on until ${shownTime(until)}. Take other work or agree with them; specboard paths who ${shownPath(path, 70)} shows more.`

/** Shown once to a session that edits files without holding a card. */
export const holdsNothing =
  'You are editing without a card. A small change takes one call: create_card with claim: true (skill specboard-small).'

/** Shown once about a run whose exit code is unknown. */
export const unknownEnd = (ref: string, command: string): string =>
  `How this test run ended is not known, so it proves nothing. To prove ${ref}: specboard prove ${ref} -- ${excerpt(command.replaceAll(/\s+/gu, ' '), 80)}`

/** Shown once at the end of a turn if nothing was noted on the card. */
export const reminder = (ref: string): string =>
  `You hold ${ref}, and have noted nothing on it since you took it. Say how far you are (save_checkpoint ${ref}), finish it or release it.`

/** Shown to a subagent: what its parent works on. */
export function parentLine(
  { ref, title, status }: Pick<HeldCardLine, 'ref' | 'title' | 'status'>,
  paths: readonly string[],
) {
  const lines = new Lines(130)
  lines.add(`Your parent works on ${ref} ${quotedText(title, 60)} (${status}).`)
  const listed: string[] = []
  for (const path of paths) {
    const next = [...listed, path].map(entry => shownPath(entry, 60)).join(', ')
    if (estimatedTokens(next) > lines.remaining - 20) break
    listed.push(path)
  }
  if (listed.length > 0) {
    const more = paths.length - listed.length
    lines.add(
      `Its scope: ${listed.map(path => shownPath(path, 60)).join(', ')}${more > 0 ? `, and ${more} more` : ''}.`,
    )
  }
  return lines.text
}
