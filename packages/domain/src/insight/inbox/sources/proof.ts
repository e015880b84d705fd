/** Cards for which nothing is left but to prove them (evidence 9). */
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import { type MoveFacts, readMoveFacts } from '../../../delivery/cards/gates/facts.ts'
import { judgeGates, reportToCome } from '../../../delivery/cards/gates/gates.ts'
import { hot } from '../../../schema/hot.ts'
import { idsOf, onBoards, type Shown, type Source } from '../source.ts'
import { toldOf, type Worked, workedColumns } from './changes.ts'

const asksForProof = sql`exists (select 1 from boards b where b.id = c.board_id
  and (${dialect.jsonFlag(sql.ref<string>('b.settings'), 'require_fresh_evidence')}
    or coalesce(${dialect.jsonText(sql.ref<string>('b.settings'), 'min_evidence_tier')}, 'claimed') <> 'claimed'))`

const inValidation = hot<{ boards: string; now: string }, Worked>(
  (_, param) =>
    sql<Worked>`select ${workedColumns(param('now'), sql`c.moved_at`, sql`null`)} from cards c
      where ${onBoards('c', param('boards'))} and c.status = 'validation' and c.archived = 0 and ${asksForProof}`,
)

/** Whether proof alone keeps a card from being done, a person's approval aside. */
function waitsForProof(facts: MoveFacts): boolean {
  const to = 'done'
  const closed = judgeGates({ facts, to, report: reportToCome({ facts, to }) }).filter(
    ({ gate, refusal }) => gate !== 'report' && refusal !== null,
  )
  return closed.length > 0 && closed.every(({ gate }) => gate === 'proof')
}

/** The most items that an entry names. */
const mostMissing = 5

/** Cards in `validation` that passed, and are not proven as their board asks. */
const cardUnproven: Source = {
  kind: 'card_unproven',
  about: 'card',
  isOpen: access => access.allows('CARDS_READ'),
  find: async (ctx, boards) => {
    const found: Worked[] = []
    for (const card of await inValidation(ctx.db, { boards: idsOf(boards), now: ctx.now() }))
      if (waitsForProof(await readMoveFacts(ctx, card.record))) found.push(card)
    return toldOf(ctx, found)
  },
  show: async (ctx, page) => {
    const shown = new Map<string, Shown>()
    for (const { record } of page) {
      const proof = (await readMoveFacts(ctx, record)).proof
      shown.set(record, {
        actor_id: null,
        data: {
          required_tier: proof?.required_tier ?? null,
          fresh: proof?.fresh ?? false,
          missing: (proof?.missing ?? [])
            .slice(0, mostMissing)
            .map(({ ref, title, problem }) => ({ ref, title, problem })),
          ways: (proof?.ways ?? []).map(({ how, text }) => ({ how, text })),
        },
        operation: 'get_proof',
        arguments: { entity_type: 'card', entity_id: record },
      })
    }
    return shown
  },
}

/** What waits because it is not proven. */
export const proofOfCards: readonly Source[] = [cardUnproven]
