import { createClient } from '@specboard/client'
import { Failure, reaching } from './failure.ts'
import type { KeyedTarget } from './target.ts'
import { UsageError } from './usage-error.ts'

/** A board in a list. */
export interface NamedBoard {
  readonly id: string
  readonly key: string
  readonly name: string
}

const page = 200

/** All boards that a key sees. */
export async function boardsOf(target: KeyedTarget): Promise<NamedBoard[]> {
  const client = createClient(target)
  const boards: NamedBoard[] = []
  for (;;) {
    const query = { limit: page, offset: boards.length }
    const { items, total } = await reaching(target, () => client.listBoards(query))
    boards.push(...items)
    if (items.length === 0 || boards.length >= total) return boards
  }
}

/**
 * The board that a text names: by its id, its key or its name.
 * @throws Failure when none matches; UsageError when several do
 */
export async function boardNamed(target: KeyedTarget, text: string): Promise<NamedBoard> {
  const boards = await boardsOf(target)
  const exact = boards.find(({ id, key }) => id === text || key === text.toUpperCase())
  const matches = exact === undefined ? boards.filter(({ name }) => name === text) : [exact]
  if (matches.length === 1) return matches[0]!
  if (matches.length > 1)
    throw new UsageError(
      `${matches.length} boards are named "${text}". Use a key: ${matches.map(({ key }) => key).join(', ')}.`,
    )
  const message = `There is no board "${text}" that this key sees. "specboard call list_boards" lists all.`
  throw new Failure('NOT_FOUND', message)
}

/**
 * The board that a command is about: the one that is named, otherwise that of the project.
 * @throws UsageError when there is neither; what `boardNamed` throws
 */
export async function boardChosen(target: KeyedTarget, board: string | undefined): Promise<NamedBoard> {
  const name = board ?? target.board
  if (name === undefined)
    throw new UsageError('Which board? Name it with --board, or let "specboard init" choose one for this folder.')
  return boardNamed(target, name)
}
