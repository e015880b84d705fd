import type { CompleteRequestParams, CompleteResult } from '@modelcontextprotocol/server'
import { registry } from '@specboard/contract'
import { type LookupType, lookUp } from '@specboard/domain'
import { UnknownName } from '../backend.ts'
import type { Reader } from '../calls/reader.ts'
import { guides } from '../guides.ts'
import { templates } from '../resources/templates.ts'
import { workflows } from './prompts.ts'

/** Maximum values of a completion. */
const limit = 100

const typeOf: Readonly<Record<string, LookupType>> = {
  board_id: 'board',
  ideation_id: 'ideation',
  refinement_id: 'refinement',
  spec_id: 'spec',
  sprint_id: 'sprint',
  card_id: 'card',
  attachment_id: 'attachment',
}

/**
 * Values for a variable of a template or an argument of a prompt (mcp 12.5): ids by prefix or by words of the
 * title, names of operations, topics of guides.
 * @param reader undefined when no record can be read
 * @throws UnknownName for an unknown reference, variable or argument
 */
export async function complete(
  reader: Reader | undefined,
  { ref, argument, context }: CompleteRequestParams,
  boundBoard: string | undefined,
): Promise<CompleteResult['completion']> {
  const isPrompt = ref.type === 'ref/prompt'
  const names = isPrompt ? promptArguments(ref.name) : variablesOf(ref.uri)
  if (names === undefined) throw new UnknownName(`Unknown reference ${isPrompt ? ref.name : ref.uri}.`)
  const { name, value } = argument
  if (!names.includes(name))
    throw new UnknownName(`${isPrompt ? ref.name : ref.uri} has no ${name}; it has ${names.join(', ')}.`)
  if (name === 'name')
    return ofNames(
      registry.map(operation => operation.name),
      value,
    )
  if (name === 'topic') return ofNames(Object.keys(guides), value)
  const type = typeOf[name]
  if (type === undefined || reader === undefined) return { values: [], total: 0, hasMore: false }
  const named = context?.arguments?.board_id
  const boardId = boundBoard ?? (named && (await reader.service.idOf(reader.caller, 'board', named)))
  const { items, total } = await reader.service.read(reader.caller, ctx =>
    lookUp(ctx, type, value, { boardId: type === 'board' ? boundBoard : boardId, limit }),
  )
  return { values: items.map(item => item.id), total, hasMore: total > items.length }
}

const promptArguments = (prompt: string): string[] | undefined =>
  workflows.find(({ name }) => name === prompt)?.arguments.map(({ name }) => name)

const variablesOf = (uri: string): string[] | undefined =>
  templates.some(({ uriTemplate }) => uriTemplate === uri)
    ? [...uri.matchAll(/\{(\w+)\}/g)].map(match => match[1]!)
    : undefined

function ofNames(names: readonly string[], value: string): CompleteResult['completion'] {
  const sought = value.toLowerCase()
  const starting = names.filter(name => name.startsWith(sought))
  const containing = names.filter(name => !name.startsWith(sought) && name.includes(sought))
  const found = [...starting, ...containing]
  return { values: found.slice(0, limit), total: found.length, hasMore: found.length > limit }
}
