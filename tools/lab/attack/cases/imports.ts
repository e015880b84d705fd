import { randomUUID } from 'node:crypto'
import { changedArchive } from '../../../../apps/cli/test/support/zip-entries.ts'
import type { Attack } from '../attack.ts'
import { type ReceivedAnswer, sendImport } from '../send.ts'
import { type Target, table } from '../target.ts'

const forged = 'Forged'

/** Rewrites a card that the owner imported, by its external id. */
const byTable = (target: Target, key: string | undefined): Promise<ReceivedAnswer> =>
  sendImport(target, key, table(forged, 'done'), `?board_id=${target.boardId}`, 'a.csv')

/** Rewrites the board with a modified copy of its own archive. */
async function byArchive(
  // biome-ignore lint/suspicious/noExplicitAny: records of all kinds
  change: (records: any[]) => unknown,
  target: Target,
  key: string | undefined,
): Promise<ReceivedAnswer> {
  const archive = await changedArchive(target.ownArchive, change)
  return sendImport(target, key, Uint8Array.from(archive), `?board_id=${target.boardId}`)
}

/** How the board shows forged cards; undefined if it shows none. */
async function forgedCards({ owner, boardId }: Target): Promise<string | undefined> {
  const { items: cards } = await owner.listCards({ board_id: boardId, limit: 200 })
  if (cards.some(({ title }) => title === forged)) return 'a card was renamed'
  return cards.some(({ status }) => status === 'done') ? 'a card was moved to done' : undefined
}

/** How the card shows a forged comment; undefined if it shows none. */
async function forgedComments({ owner, cardId }: Target): Promise<string | undefined> {
  const { comments } = await owner.getCard({ card_id: cardId })
  const isMarked = (comment: object) => 'imported' in comment && comment.imported === true
  const forgeries = comments.filter(({ content }) => content === forged)
  return forgeries.every(isMarked) ? undefined : 'it stands there without a mark'
}

/** Rights that an import must not grant (walls 5). */
export const imports: readonly Attack[] = [
  {
    name: 'cards of others, changed by an import',
    answers: { nobody: [401], none: [403], importer: [200, 201] },
    variations: {
      'by the external id of a table': byTable,
      'by the archive of the board': (target, key) =>
        byArchive(
          records => {
            const card = records.find(({ type }) => type === 'card')
            Object.assign(card, { title: forged, status: 'done', updated_at: '2099-01-01T00:00:00.000Z' })
          },
          target,
          key,
        ),
    },
    afterwards: forgedCards,
  },
  {
    name: 'a comment in the name of the owner, by an import',
    answers: { nobody: [401], none: [403], importer: [200] },
    variations: {
      'in the archive of the board': (target, key) =>
        byArchive(
          records => {
            const comment = records.find(({ type }) => type === 'comment')
            records.splice(records.indexOf(comment), 0, { ...comment, id: randomUUID(), content: forged })
          },
          target,
          key,
        ),
    },
    afterwards: forgedComments,
  },
]
