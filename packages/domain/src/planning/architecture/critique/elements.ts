import { type Draft, isGiven, isObject, keyIn, type Resolve } from '../references.ts'
import type { Findings } from './findings.ts'

/** The parts of a design that elements of a diagram can refer to. */
export interface References {
  readonly interfaces: readonly Draft[]
  readonly entityOf: Resolve
  readonly interfaceOf: Resolve
}

/** A property of an element, from the element itself or otherwise from its `customData`. */
export const property = (element: Draft, name: string): unknown =>
  element[name] ?? (isObject(element.customData) ? element.customData[name] : undefined)

/** The interface references of an element, each with its path relative to the element. */
function interfaceLinks(element: Draft): { reference: unknown; path: string }[] {
  const single = property(element, 'linkedInterfaceId')
  const several = property(element, 'linkedInterfaceIds')
  return [
    ...(isGiven(single) ? [{ reference: single, path: 'linkedInterfaceId' }] : []),
    ...(Array.isArray(several) ? several : []).map((reference, index) => ({
      reference,
      path: `linkedInterfaceIds[${index}]`,
    })),
  ]
}

/** The number of elements in a scene, and of linked ones. */
export const countLinks = (elements: readonly unknown[]) => ({
  elements: elements.length,
  entityLinks: elements.filter(element => isObject(element) && isGiven(property(element, 'linkedEntityId'))).length,
  interfaceLinks: elements.filter(element => isObject(element) && interfaceLinks(element).length > 0).length,
})

/**
 * Checks the elements of an Excalidraw scene.
 * @param at the path of the scene's `elements`
 */
export function checkElements(
  elements: readonly unknown[],
  at: string,
  references: References,
  findings: Findings,
): void {
  const byKey = new Map<string, Draft>()
  for (const element of elements) {
    const key = isObject(element) ? keyIn(element.id) : undefined
    if (key !== undefined && !byKey.has(key)) byKey.set(key, element as Draft)
  }
  for (const [index, element] of elements.entries()) {
    const path = `${at}[${index}]`
    if (!isObject(element)) {
      findings.issue('element', path, 'must be an object')
      continue
    }
    const key = keyIn(element.id)
    if (key === undefined) findings.issue('element', `${path}.id`, 'must not be empty')
    else if (byKey.get(key) !== element) findings.issue('element', `${path}.id`, 'repeats the id of an earlier element')
    checkLinks(element, path, references, findings)
    checkConnection(element, path, byKey, references, findings)
  }
}

function checkLinks(element: Draft, path: string, { entityOf, interfaceOf }: References, findings: Findings): void {
  const entity = property(element, 'linkedEntityId')
  if (isGiven(entity) && entityOf(entity) === undefined)
    findings.issue('linkedEntity', `${path}.linkedEntityId`, `names no entity: ${JSON.stringify(entity)}`)
  const several = property(element, 'linkedInterfaceIds') ?? []
  if (!Array.isArray(several)) findings.issue('linkedInterface', `${path}.linkedInterfaceIds`, 'must be an array')
  const seen = new Set<string>()
  for (const link of interfaceLinks(element)) {
    const at = `${path}.${link.path}`
    const key = keyIn(link.reference)
    if (key === undefined) findings.issue('linkedInterface', at, 'must be a text that is not blank')
    else if (seen.has(key)) findings.issue('linkedInterface', at, 'repeats an earlier member')
    else if (interfaceOf(link.reference) === undefined)
      findings.issue('linkedInterface', at, `names no interface: ${JSON.stringify(link.reference)}`)
    if (key !== undefined && link.path !== 'linkedInterfaceId') seen.add(key)
  }
  const connectionType = property(element, 'connectionType')
  if (isGiven(connectionType) && connectionType !== 'direct' && connectionType !== 'elbow')
    findings.issue('connectionType', `${path}.connectionType`, 'must be direct or elbow')
}

function checkConnection(
  element: Draft,
  path: string,
  elements: ReadonlyMap<string, Draft>,
  { interfaces, entityOf, interfaceOf }: References,
  findings: Findings,
): void {
  const ends = ['sourceElementId', 'targetElementId'].map(name => ({ name, reference: property(element, name) }))
  const present = ends.filter(end => isGiven(end.reference))
  const linked = interfaceLinks(element).flatMap(link => interfaceOf(link.reference) ?? [])
  if (present.length === 0) {
    const isLine = element.type === 'arrow' || element.type === 'line'
    if (!isLine && !isGiven(property(element, 'linkedEntityId')))
      findings.warning('unlinkedElement', path, 'is linked to no entity')
    return
  }
  if (present.length === 1) findings.issue('connectionEnds', path, 'has only one of its two ends')
  for (const { name, reference } of present)
    if (endOf(elements, reference) === undefined)
      findings.issue('connectionEnds', `${path}.${name}`, `names no element: ${JSON.stringify(reference)}`)
  const [source, target] = ends.map(({ reference }) => {
    const end = endOf(elements, reference)
    return end === undefined ? undefined : entityOf(property(end, 'linkedEntityId'))
  })
  if (source !== undefined && target !== undefined) {
    const wrong = linked.some(index => {
      const participants = interfaces[index]?.participants
      if (!Array.isArray(participants) || participants.length !== 2) return false
      const [first, second] = participants.map(entityOf)
      return first !== undefined && second !== undefined && (first !== source || second !== target)
    })
    if (wrong) findings.issue('connectionOrder', path, 'does not run from the first participant to the second')
  }
  if (linked.length === 0) findings.warning('unlinkedConnection', path, 'is linked to no interface')
  const several = new Set(linked)
  if (several.size > 1 && [...several].some(index => !isGiven(interfaces[index]?.endpoint)))
    findings.warning('endpoint', path, 'is linked to several interfaces, one of them without endpoint')
}

const endOf = (elements: ReadonlyMap<string, Draft>, reference: unknown): Draft | undefined =>
  elements.get(keyIn(reference) ?? '')
