import { dialect } from '@specboard/storage'
import type { Member } from '../../kernel/access/holders.ts'
import type { Context } from '../../kernel/context.ts'
import type { NextPart } from '../../kernel/service/call.ts'
import { excerpt } from '../../lib/excerpt.ts'
import { hot } from '../../schema/hot.ts'
import { argumentsOf, type StepCall, type StepRecord } from '../inbox/sources/steps.ts'

/** The next call on a record, and who may make it. */
export interface NextCall {
  readonly about: StepRecord
  readonly id: string
  readonly call: StepCall
  readonly holders: readonly Member[]
  /** Whether there is exactly one holder, who is named; otherwise holders are counted. */
  readonly byName?: boolean
  /** Where they learn about it; by default their inbox. */
  readonly way?: 'list_my_inbox' | 'claim_next_card'
}

/** Maximum length of the text in an answer that says who acts next, characters. */
const maxCharacters = 60

const presetNames = hot<{ ids: string }, { id: string; name: string }>((db, param) =>
  db
    .selectFrom('presets')
    .select(['id', 'name'])
    .where(eb => dialect.inList(eb.ref('id'), param('ids'))),
)

/** Says who acts next. */
export async function nextPartOf(ctx: Context, nextCall: NextCall): Promise<NextPart> {
  const { about, id, call, holders, byName = false, way = 'list_my_inbox' } = nextCall
  if (holders.some(holder => holder.id === ctx.caller.id)) {
    const args = argumentsOf(about, id, call)
    const actions = [{ name: call.operation, arguments: args, reason: reasonOf(call) }]
    return { next: excerpt(`you: ${call.operation}${targetOf(call)}`, maxCharacters), actions }
  }
  const crew = holders.filter(({ isOwner }) => !isOwner)
  const [only] = byName ? holders : []
  if (only !== undefined) return { next: `"${excerpt(oneLine(only.name), 30)}": by ${way}`, actions: [] }
  if (crew.length === 0) return { next: 'nobody but the owner', actions: [] }
  const who = await presetsOf(ctx, crew)
  const count = `${crew.length} ${crew.length === 1 ? 'agent' : 'agents'}, by ${way}`
  const whole = `${who}: ${count}`
  return { next: whole.length <= maxCharacters ? whole : count, actions: [] }
}

/** The names of the presets of some agents, each once. */
async function presetsOf({ db }: Context, crew: readonly Member[]): Promise<string> {
  const ids = [...new Set(crew.map(({ presetId }) => presetId))]
  const rows = await presetNames(db, { ids: JSON.stringify(ids.filter(id => id !== null)) })
  const names = new Map(rows.map(({ id, name }) => [id, oneLine(name)]))
  return ids.map(id => (id === null ? 'Full Control' : (names.get(id) ?? 'None'))).join(', ')
}

/** A name on one line, without quotation marks that would end it early. */
const oneLine = (name: string): string => name.replaceAll(/[\s"]/g, ' ')

function targetOf({ arguments: args = {} }: StepCall): string {
  const status = args.status ?? args.target_status
  return typeof status === 'string' ? ` to ${status}` : ''
}

function reasonOf({ data = {} }: StepCall): string {
  const { asks } = data
  return Array.isArray(asks) && asks.length > 0 ? `the next step; add ${asks.join(', ')}` : 'the next step'
}
