import type { Db, ReadWrite } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { updateRow } from '../../schema/rows.ts'
import { type Embedder, embeddedText } from '../embedding/embedder.ts'
import { encodeVector } from '../embedding/vectors.ts'
import { raiseRevision } from '../store/boards.ts'
import { among, nodesByIds, storeVector } from '../store/rows.ts'

/** How many nodes one unit of work embeds. */
const batch = 200

interface NodeToEmbed {
  readonly id: string
  readonly ordinal: number
  readonly title: string
  readonly content: string
}

const unembedded = hot<{ board: string; model: string; after: string; limit: number }, NodeToEmbed>((db, param) =>
  db
    .selectFrom('kg_nodes')
    .select(['id', 'ordinal', 'title', 'content'])
    .where('board_id', '=', param('board'))
    .where('embedding_model', '<>', param('model'))
    .where('id', '>', param('after'))
    .orderBy('id')
    .limit(param('limit')),
)

/** The nodes whose text is still the one that was embedded. */
const sameText = async (db: Db, nodes: readonly NodeToEmbed[]): Promise<Set<string>> => {
  const rows = await db
    .selectFrom('kg_nodes')
    .select(['id', 'title', 'content'])
    .where(among('id', JSON.stringify(nodes.map(({ id }) => id))))
    .execute()
  const texts = new Map(nodes.map(node => [node.id, embeddedText(node)]))
  return new Set(rows.filter(row => texts.get(row.id) === embeddedText(row)).map(({ id }) => id))
}

/** Makes vectors for the nodes of a board that have no vector of this embedder; returns how many. */
export async function embedBoard(database: ReadWrite, embedder: Embedder, boardId: string): Promise<number> {
  let after = ''
  let count = 0
  for (;;) {
    const page = { board: boardId, model: embedder.model, after, limit: batch }
    const nodes = await database.read(db => unembedded(db, page))
    if (nodes.length === 0) return count
    after = nodes.at(-1)!.id
    count += await embedNodes(database, embedder, boardId, nodes)
  }
}

/** Creates vectors for nodes of a board, except for those whose text changes in the meantime; returns how many. */
async function embedNodes(
  database: ReadWrite,
  embedder: Embedder,
  boardId: string,
  nodes: readonly NodeToEmbed[],
): Promise<number> {
  const vectors = await embedder.embed(nodes.map(embeddedText))
  const embed = async (db: Db) => {
    const same = await sameText(db, nodes)
    const { revision } = await raiseRevision(db, boardId)
    for (const [index, { id, ordinal }] of nodes.entries()) {
      if (!same.has(id)) continue
      const vector = encodeVector(vectors[index]!)
      await storeVector(db, { ordinal, board: boardId, model: embedder.model, vector, revision })
      await updateRow(db, 'kg_nodes', id, { embedding_model: embedder.model, revision })
    }
    return same.size
  }
  return database.write(embed, { lock: boardId })
}

/** Makes new vectors for some nodes of a board. */
export async function embedAgain(
  database: ReadWrite,
  embedder: Embedder,
  boardId: string,
  ids: readonly string[],
): Promise<void> {
  for (let from = 0; from < ids.length; from += batch) {
    const nodes = await database.read(db => nodesByIds(db, ids.slice(from, from + batch)))
    await embedNodes(database, embedder, boardId, nodes)
  }
}
