import { ArchitectureCreate, atOnce, DiagramFormat, DiagramType, parseInPieces, Title } from '@specboard/contract'
import { DomainError } from '../../../kernel/errors.ts'
import { defaultFormat, payloadSize } from '../payload.ts'
import { type Draft, isGiven, isObject, repeats, resolver } from '../references.ts'
import { checkElements, countLinks, type References } from './elements.ts'
import { badName, checkEntities, checkInterfaces } from './entities-and-interfaces.ts'
import { Findings } from './findings.ts'

/** A design to critique; none of its fields need to be valid. */
export interface DesignDraft {
  readonly title?: unknown
  readonly global_description?: unknown
  readonly entities: readonly Draft[]
  readonly interfaces: readonly Draft[]
  readonly diagrams: readonly Draft[]
}

/** Maximum number of entities, interfaces, diagrams and payload bytes of a design (A.2). */
export const limits = { entities: 500, interfaces: 500, diagrams: 50, payloadBytes: 2 << 20 } as const

/** The result of a critique (A.4). */
export type Report = ReturnType<typeof critique>

/** Critiques a design: blocking issues, warnings and suggested fixes. Never throws. */
export const critique = (draft: DesignDraft) => reportOf(draft, findingsIn(draft))

function findingsIn(draft: DesignDraft): Findings {
  const findings = new Findings()
  checkHead(draft, findings)
  const entityOf = resolver(draft.entities)
  checkEntities(draft.entities, findings)
  checkInterfaces(draft.interfaces, entityOf, findings)
  const references = { interfaces: draft.interfaces, entityOf, interfaceOf: resolver(draft.interfaces) }
  checkDiagrams(draft.diagrams, references, findings)
  return findings
}

/**
 * Critiques a design sent as free JSON, including the types of its fields. A design without issues here can be created.
 */
export function critiqueOfDraft(draft: DesignDraft): Report {
  const findings = findingsIn(draft)
  const parsed = atOnce(parseInPieces(ArchitectureCreate, draft, maxSchemaIssues))
  for (const { path, message } of parsed.ok ? [] : parsed.issues) {
    const at = pathOf(path)
    if (!findings.has(at)) findings.issue('schema', at, `is invalid: ${message}`)
  }
  return reportOf(draft, findings)
}

/** The number of schema faults after which the search for others stops. */
const maxSchemaIssues = 100

/**
 * Refuses a design that has blocking issues.
 * @throws DomainError VALIDATION_ERROR with `issues`, `warnings`, `suggested_fixes`
 */
export function refuseFaulty(draft: DesignDraft): void {
  const { issues, issues_total, warnings, warnings_total, suggested_fixes } = critique(draft)
  if (issues_total === 0) return
  throw new DomainError(
    'VALIDATION_ERROR',
    `The design has ${issues_total} blocking ${issues_total === 1 ? 'issue' : 'issues'}; the first: ${issues[0]}. Fix them and send it again.`,
    { issues, issues_total, warnings, warnings_total, suggested_fixes },
  )
}

/** A path as text: `diagrams[0].title`. */
const pathOf = (path: readonly PropertyKey[]): string =>
  path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${String(step)}`))
    .join('')

function checkHead(draft: DesignDraft, findings: Findings): void {
  const { title, global_description } = draft
  if (!Title.safeParse(title).success) findings.issue('title', 'title', 'must have 1 to 500 characters')
  if (!isGiven(global_description)) findings.issue('description', 'global_description', 'must not be empty')
  for (const list of ['entities', 'interfaces', 'diagrams'] as const)
    if (draft[list].length > limits[list]) findings.issue('limit', list, `has more than ${limits[list]} members`)
}

const formats: readonly unknown[] = DiagramFormat.options
const types: readonly unknown[] = DiagramType.options

function checkDiagrams(diagrams: readonly Draft[], references: References, findings: Findings): void {
  const sameIds = repeats(diagrams, 'id')
  for (const [index, diagram] of diagrams.entries()) {
    const at = `diagrams[${index}]`
    const { adapter_payload: payload, diagram_type: type } = diagram
    const format = diagram.format ?? defaultFormat(payload)
    if (sameIds.has(index)) findings.issue('diagramId', `${at}.id`, `repeats the id of diagrams[${sameIds.get(index)}]`)
    if (badName(diagram.title)) findings.issue('diagramTitle', `${at}.title`, 'must have 1 to 255 characters')
    if (!formats.includes(format))
      findings.issue('diagramFormat', `${at}.format`, `must be one of ${formats.join(', ')}`)
    else if (format !== 'excalidraw_json')
      findings.warning('otherFormat', `${at}.format`, 'is not excalidraw_json: its content cannot be linked')
    if (type !== undefined && !types.includes(type))
      findings.issue('diagramType', `${at}.diagram_type`, `must be one of ${types.join(', ')}`)
    if (payload !== undefined && payload !== null)
      checkPayload(payload, format, `${at}.adapter_payload`, references, findings)
  }
}

const expected: Readonly<Record<string, string>> = {
  excalidraw_json: 'an object with an elements array',
  raw: 'a string, an object or an array',
}

function checkPayload(payload: unknown, format: unknown, at: string, references: References, findings: Findings): void {
  if (!takes(format, payload)) {
    findings.issue('payload', at, `must be ${expected[String(format)] ?? 'a text that is not empty'}`)
    return
  }
  if (payloadSize(payload) > limits.payloadBytes) findings.issue('limit', at, 'has more than 2 MiB')
  else if (format === 'excalidraw_json' && isObject(payload) && Array.isArray(payload.elements))
    checkElements(payload.elements, `${at}.elements`, references, findings)
}

/** Whether a payload is of the kind that a format requires; an unknown format accepts any. */
function takes(format: unknown, payload: unknown): boolean {
  if (!formats.includes(format)) return true
  if (format === 'excalidraw_json') return isObject(payload) && Array.isArray(payload.elements)
  if (format === 'raw') return typeof payload === 'string' || typeof payload === 'object'
  return typeof payload === 'string' && payload !== ''
}

function reportOf(draft: DesignDraft, findings: Findings) {
  const scenes = draft.diagrams.flatMap(({ format, adapter_payload: payload }) =>
    (format ?? defaultFormat(payload)) === 'excalidraw_json' && isObject(payload) && Array.isArray(payload.elements)
      ? [countLinks(payload.elements)]
      : [],
  )
  const sum = (count: 'elements' | 'entityLinks' | 'interfaceLinks') =>
    scenes.reduce((total, scene) => total + scene[count], 0)
  return {
    valid: findings.issuesTotal === 0,
    issues: findings.issues,
    issues_total: findings.issuesTotal,
    warnings: findings.warnings,
    warnings_total: findings.warningsTotal,
    suggested_fixes: findings.suggestedFixes,
    summary: {
      entities_count: draft.entities.length,
      interfaces_count: draft.interfaces.length,
      diagrams_count: draft.diagrams.length,
      diagram_elements_count: sum('elements'),
      linked_entity_elements_count: sum('entityLinks'),
      linked_interface_elements_count: sum('interfaceLinks'),
    },
  }
}
