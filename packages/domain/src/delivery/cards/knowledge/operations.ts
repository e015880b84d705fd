import type { features } from '@specboard/contract'
import { refuseArchivedCard } from '../../../kernel/archived.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { ExplicitAnswer, type Implementation } from '../../../kernel/implement.ts'
import { pageOf } from '../../../kernel/page.ts'
import { titleDisposition } from '../../../lib/content-disposition.ts'
import { sameJson } from '../../../lib/json.ts'
import type { CardRecord, Knowledge } from '../../card-record/record.ts'
import { readCard } from '../../card-record/store.ts'
import { recordOnCard, writeCard } from '../../card-record/write.ts'
import { type Author, checkRoom, mergedEntry, type SentEntry } from './entries.ts'
import { withNumbers } from './numbers.ts'

type Cards = typeof features.cards

const authorOf = (ctx: Context): Author => ({ id: ctx.caller.id, now: ctx.now(), newId: () => ctx.newId() })

function entryOf(card: CardRecord, id: string): Knowledge {
  const entry = card.knowledge_bases.find(candidate => candidate.id === id)
  if (entry === undefined) throw notFound('knowledge', id)
  return entry
}

/** Stores the list and records the change of one entry. */
async function writeEntries(
  ctx: Context,
  card: CardRecord,
  knowledge_bases: Knowledge[],
  event: 'added' | 'updated' | 'deleted',
  { id, title }: Knowledge,
): Promise<void> {
  checkRoom(card.knowledge_bases, knowledge_bases)
  await writeCard(ctx, card.id, { knowledge_bases })
  await recordOnCard(ctx, card, `knowledge_${event}`, { kb_id: id, title })
}

export const listCardKnowledge: Implementation<Cards['list_card_knowledge']> = async ({ params, query }, ctx) => {
  const { knowledge_bases } = await readCard(ctx.db, params.card_id)
  const { items, total } = pageOf(knowledge_bases, query)
  return new ExplicitAnswer({ card_id: params.card_id, knowledge: [...items] }, { total })
}

export const createCardKnowledge: Implementation<Cards['create_card_knowledge']> = async ({ params, body }, ctx) => {
  const card = await readCard(ctx.db, params.card_id)
  const draft = mergedEntry(body, undefined, authorOf(ctx))
  refuseArchivedCard(card)
  const [entry] = await withNumbers(ctx, card, [draft])
  if (entry === undefined) throw new Error('An entry of knowledge was lost.')
  await writeEntries(ctx, card, [...card.knowledge_bases, entry], 'added', entry)
  return entry
}

export const getCardKnowledge: Implementation<Cards['get_card_knowledge']> = async ({ params }, ctx) =>
  entryOf(await readCard(ctx.db, params.card_id), params.kb_id)

export const updateCardKnowledge: Implementation<Cards['update_card_knowledge']> = async ({ params, body }, ctx) => {
  const card = await readCard(ctx.db, params.card_id)
  const before = entryOf(card, params.kb_id)
  const after = mergedEntry(body as SentEntry, before, authorOf(ctx))
  refuseArchivedCard(card)
  if (!sameJson(before, after)) {
    const entries = card.knowledge_bases.map(entry => (entry === before ? after : entry))
    await writeEntries(ctx, card, entries, 'updated', after)
  }
  return after
}

export const deleteCardKnowledge: Implementation<Cards['delete_card_knowledge']> = async ({ params }, ctx) => {
  const card = await readCard(ctx.db, params.card_id)
  const entry = entryOf(card, params.kb_id)
  refuseArchivedCard(card)
  await writeEntries(
    ctx,
    card,
    card.knowledge_bases.filter(candidate => candidate !== entry),
    'deleted',
    entry,
  )
}

export const downloadCardKnowledge: Implementation<Cards['download_card_knowledge']> = async ({ params }, ctx) => {
  const { title, description, content } = entryOf(await readCard(ctx.db, params.card_id), params.kb_id)
  const quote =
    description === null
      ? ''
      : `${description
          .split('\n')
          .map(line => `> ${line}`)
          .join('\n')}\n\n`
  const text = new TextEncoder().encode(`# ${title}\n\n${quote}${content}\n`)
  return {
    filename: `${title}.md`,
    mimeType: 'text/markdown; charset=utf-8',
    size: text.byteLength,
    headers: {
      'content-disposition': titleDisposition(title, 'md', 'knowledge'),
      'x-content-type-options': 'nosniff',
    },
    content: text,
  }
}
