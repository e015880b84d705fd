import { Name } from '@specboard/contract'
import { type Draft, isFilled, isGiven, keyIn, type Resolve, repeats } from '../references.ts'
import type { Findings } from './findings.ts'

const directions: readonly unknown[] = ['source_to_target', 'target_to_source', 'bidirectional', 'none']

/** The fields of an interface that describe what it carries. */
const schemaFields = ['request_schema', 'response_schema', 'event_schema', 'error_contract', 'schema_ref'] as const

/** Whether a name is missing, blank or longer than 255 characters. */
export const badName = (name: unknown): boolean => !Name.safeParse(name).success

/** A name or category without white space, underscores and hyphens. */
const bare = (text: unknown): string | undefined => keyIn(text)?.replaceAll(/[\s_-]/g, '')

/** Checks the entities of a design. */
export function checkEntities(entities: readonly Draft[], findings: Findings): void {
  const sameIds = repeats(entities, 'id')
  const sameNames = repeats(entities, 'name')
  for (const [index, entity] of entities.entries()) {
    const at = `entities[${index}]`
    if (sameIds.has(index)) findings.issue('entityId', `${at}.id`, `repeats the id of entities[${sameIds.get(index)}]`)
    if (badName(entity.name)) findings.issue('entityName', `${at}.name`, 'must have 1 to 255 characters')
    else if (sameNames.has(index))
      findings.issue('entityName', `${at}.name`, `repeats the name of entities[${sameNames.get(index)}]`)
    if (bare(entity.name) !== undefined && bare(entity.name) === bare(entity.entity_type))
      findings.issue('genericName', `${at}.name`, 'only repeats entity_type; a concrete component name is needed')
    for (const field of ['id', 'entity_type', 'responsibility', 'boundaries'])
      if (!isGiven(entity[field])) findings.warning('entityDetail', `${at}.${field}`, 'is missing')
  }
}

/** Checks the interfaces of a design, whose participants are entities. */
export function checkInterfaces(interfaces: readonly Draft[], entityOf: Resolve, findings: Findings): void {
  const sameIds = repeats(interfaces, 'id')
  const sameNames = repeats(interfaces, 'name')
  for (const [index, item] of interfaces.entries()) {
    const at = `interfaces[${index}]`
    if (sameIds.has(index))
      findings.issue('interfaceId', `${at}.id`, `repeats the id of interfaces[${sameIds.get(index)}]`)
    if (badName(item.name)) findings.issue('interfaceName', `${at}.name`, 'must have 1 to 255 characters')
    else if (sameNames.has(index))
      findings.issue('interfaceName', `${at}.name`, `repeats the name of interfaces[${sameNames.get(index)}]`)
    if (isGiven(item.direction) && !directions.includes(item.direction))
      findings.issue('direction', `${at}.direction`, `must be one of ${directions.join(', ')}`)
    checkParticipants(item.participants, `${at}.participants`, entityOf, findings)
    const named = isGiven(item.protocol) || isGiven(item.contract_type)
    const described = schemaFields.some(field => isFilled(item[field]))
    if (described && !named) findings.issue('bareSchema', at, 'has a schema but neither protocol nor contract_type')
    for (const field of ['id', 'description'])
      if (!isGiven(item[field])) findings.warning('interfaceDetail', `${at}.${field}`, 'is missing')
    if (!named) findings.warning('interfaceKind', at, 'has neither protocol nor contract_type')
    if (!described) findings.warning('interfaceSchema', at, 'has no schema, error_contract or schema_ref')
  }
}

function checkParticipants(participants: unknown, at: string, entityOf: Resolve, findings: Findings): void {
  if (!Array.isArray(participants) || participants.length === 0) return
  if (participants.length !== 2 || !participants.every(isGiven))
    findings.issue('participants', at, 'must name exactly two entities')
  if (participants.length === 2 && isSame(participants[0], participants[1], entityOf))
    findings.issue('participants', at, 'must name two different entities')
  for (const [index, participant] of participants.entries())
    if (isGiven(participant) && entityOf(participant) === undefined)
      findings.issue('participants', `${at}[${index}]`, `names no entity: ${JSON.stringify(participant)}`)
}

const isSame = (a: unknown, b: unknown, entityOf: Resolve): boolean =>
  keyIn(a) !== undefined && (keyIn(a) === keyIn(b) || (entityOf(a) !== undefined && entityOf(a) === entityOf(b)))
