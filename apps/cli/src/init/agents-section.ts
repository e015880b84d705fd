/** The block of a file of instructions that tells agents how to find their work (harness 2.1). */
import { Failure } from '../frame/failure.ts'
import { endOfLine } from './json-text.ts'

const begin = '<!-- specboard:begin v2 -->'
const end = '<!-- specboard:end -->'

/** The begin of a block of any version. */
const anyBegin = /<!-- specboard:begin(?: v\d+)? -->/

/** The block of AGENTS.md, which most clients read, in the required order (crew 6.8). */
const instructions = (board: string): readonly string[] => [
  begin,
  '## Specboard',
  '',
  'The work of this project is tracked on Specboard, over MCP (server `specboard`).',
  '',
  '- Begin with `list_my_inbox`: it says what you hold, what waits for you, why, and the call to make.',
  '- A small change needs no spec: `create_card` with a title and `claim: true`, do it, `move_card` to `done` with `conclusion` and `check` (how you checked it).',
  '- Planned work: `claim_next_card` gives you a card that nobody else works on; read `specboard://cards/{ref}`, and save your progress with `save_checkpoint`.',
  '- A finished card goes to `validation` where the board asks for a second pair of eyes, else to `done`. A refused move says what is missing; `get_allowed_moves` says so beforehand.',
  '- A failed card returns to whoever worked on it and is first in `list_my_inbox`.',
  '- Nothing to do: `list_my_inbox` or `claim_next_card` with `wait_ms: 50000` waits for something.',
  `- Refer to the board as \`${board}\`, and to its records by their references, such as \`${board}-1\`.`,
  '- Without MCP: `specboard ready`, `take`, `show REF`, `note REF TEXT`, `done REF CONCLUSION --check …`, `add TITLE --take`.',
  end,
]

/** The block for a file whose client reads AGENTS.md only if that file imports it. */
const imported: readonly string[] = [begin, '@AGENTS.md', end]

/** The position of a block in a text; undefined if there is none. */
interface BlockPosition {
  readonly from: number
  readonly to: number
}

function placeIn(path: string, text: string): BlockPosition | undefined {
  const found = anyBegin.exec(text)
  if (found === null) return undefined
  const to = text.indexOf(end, found.index)
  if (to === -1)
    throw new Failure(
      'BLOCK_OPEN',
      `${path} has "${found[0]}" without "${end}", so nothing was written. Take that line out, or put the other one where the block ends.`,
    )
  return { from: found.index, to: to + end.length }
}

/** The text of a file with a block: in place of an older block, otherwise at the end; everything else is unchanged. */
function withBlock(path: string, present: string, lines: readonly string[]): string {
  const eol = endOfLine(present)
  const block = lines.join(eol)
  const place = placeIn(path, present)
  if (place !== undefined) return present.slice(0, place.from) + block + present.slice(place.to)
  if (present === '') return `${block}${eol}`
  // A missing last newline stays missing.
  return present.endsWith('\n') ? `${present}${eol}${block}${eol}` : `${present}${eol}${eol}${block}`
}

/**
 * The text of AGENTS.md with the block for a board.
 * @throws Failure where a block has no end
 */
export const withSection = (path: string, present: string, board: string): string =>
  withBlock(path, present, instructions(board))

/**
 * The text of a file that imports AGENTS.md.
 * @throws Failure where a block has no end
 */
export const withImport = (path: string, present: string): string =>
  /^@AGENTS\.md\s*$/m.test(present) ? present : withBlock(path, present, imported)

/**
 * The text of a file without the block; empty if it contains nothing else.
 * @throws Failure where a block has no end
 */
export function withoutSection(path: string, present: string): string {
  const place = placeIn(path, present)
  if (place === undefined) return present
  const eol = endOfLine(present)
  const before = present.slice(0, place.from)
  const after = present.slice(place.to)
  const rest = after.startsWith(eol) ? after.slice(eol.length) : after
  if (rest === '' && after === '') return before.endsWith(eol + eol) ? before.slice(0, -2 * eol.length) : before
  // The blank line before it came with it.
  return (before.endsWith(eol + eol) || before === eol ? before.slice(0, -eol.length) : before) + rest
}
