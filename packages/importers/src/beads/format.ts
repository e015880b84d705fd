import { isArchiveOfBoard } from '../archive-of-board.ts'
import { nameOf } from '../files.ts'
import type { Fit, Format, Miss } from '../format.ts'
import { eachLine } from '../markdown.ts'
import type { Entry } from '../neutral.ts'
import { isObject, textIn } from './issue.ts'
import { readBeads } from './read.ts'

/** How many lines are searched: the first ones may be a header or memories. */
const firstLines = 100

export const beads: Format = {
  looksFor: 'a JSON Lines file of issues with id and title, such as .beads/issues.jsonl',
  look({ entries }) {
    const files = entries.filter(({ name, text }) => text !== null && (name === null || name.endsWith('.jsonl')))
    const found = files.map(entry => ({ entry, looks: looksOf(entry) })).filter(({ looks }) => looks !== undefined)
    if (found.length === 0) return files.flatMap(missOf)
    const first = Math.min(...found.map(({ entry }) => rankOf(entry)))
    const ranked = found.filter(({ entry }) => rankOf(entry) === first)
    const different = Map.groupBy(ranked, ({ entry }) => entry.text)
    return [...different.values()].map(([one]): Fit => {
      const { entry, looks } = one!
      return {
        verdict: looks === 'issues' ? 'sure' : 'possible',
        at: entry.name,
        reason:
          looks === 'issues' ? 'issues, one a line' : 'lines with id and title, and nothing else that issues have',
        read: (collected, options) => readBeads(entry, entries, collected, options),
      }
    })
  },
}

/** Whether the first lines contain an issue, or something with an id and a title. */
function looksOf({ text }: Entry): 'issues' | 'titles' | undefined {
  if (isArchiveOfBoard(text)) return undefined
  let looks: 'titles' | undefined
  let remaining = firstLines
  for (const line of eachLine(text ?? '')) {
    if (line.trim() === '') continue
    const value = parsed(line)
    if (isObject(value) && textIn(value.id) !== null && typeof value.title === 'string') {
      if (['status', 'issue_type', 'priority', 'dependencies'].some(name => Object.hasOwn(value, name))) return 'issues'
      looks = 'titles'
    }
    if (--remaining === 0) break
  }
  return looks
}

/** Ranks the file of issues above copies, backups, merge bases and histories (imports 2). */
function rankOf({ name }: Entry): number {
  if (name === null) return 0
  const file = nameOf(name)
  const isCopy = /history|archive|snapshot/i.test(name) || /base|left|right|merge|copy|old|bak/i.test(file)
  if (isCopy) return 4
  if (/(?:^|\/)backups?\//i.test(name)) return 3
  return file === 'issues.jsonl' ? 0 : file === 'beads.jsonl' ? 1 : 2
}

function missOf({ name, text }: Entry): Miss[] {
  const [first] = eachLine((text ?? '').trimStart())
  if (name === null && !first?.startsWith('{')) return []
  if (isArchiveOfBoard(text)) return [{ verdict: 'no', at: name, reason: 'it has the records of a board (specboard)' }]
  const reason = first === '' ? 'it is empty' : `none of its first ${firstLines} lines is an object with id and title`
  return [{ verdict: 'no', at: name, reason }]
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
