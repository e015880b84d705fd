/** The kinds of finding, each with its suggested fix (A.4). */
const fixes = {
  title: 'Give the design a title of 1 to 500 characters.',
  description: 'Describe in global_description what the design covers.',
  limit: 'Split the design: it may have 500 entities, 500 interfaces, 50 diagrams and 2 MiB per payload.',
  schema: 'Send each field with the type in its schema.',
  entityId: 'Give each entity an id of its own.',
  entityName: 'Give each entity a name of its own, 1 to 255 characters long.',
  genericName: 'Name the concrete component, not its category.',
  interfaceId: 'Give each interface an id of its own.',
  interfaceName: 'Give each interface a name of its own, 1 to 255 characters long.',
  direction: 'Use source_to_target, target_to_source, bidirectional or none as direction.',
  participants: 'Name exactly two different entities of the design, by id or name, as participants.',
  bareSchema: 'Set protocol or contract_type to say what kind of interface its schemas describe.',
  diagramId: 'Give each diagram an id of its own, or leave the id out.',
  diagramTitle: 'Give each diagram a title of 1 to 255 characters.',
  diagramFormat: 'Use excalidraw_json, mermaid, plantuml, c4, svg or raw as format.',
  diagramType: 'Use context, container, component, sequence, deployment, data_flow or other as diagram_type.',
  payload: 'Send a payload of the kind that its format requires.',
  element: 'Make each element an object with an id of its own.',
  linkedEntity: 'Link elements to entities of the design, by id or name.',
  linkedInterface: 'Link elements to interfaces of the design, each once, by id or name.',
  connectionType: 'Use direct or elbow as connectionType.',
  connectionEnds: 'Give a connection both sourceElementId and targetElementId, elements of the same diagram.',
  connectionOrder: 'Draw a connection from the first participant of its interface to the second.',
  entityDetail: 'Describe each entity by id, entity_type, responsibility and boundaries.',
  interfaceDetail: 'Describe each interface by id and description.',
  interfaceKind: 'Give each interface a protocol or a contract_type.',
  interfaceSchema: 'Give each interface a schema, an error contract or a schema_ref.',
  unlinkedConnection: 'Link each connection to the interface that it shows.',
  endpoint: 'Give each of the interfaces on one connection an endpoint, so that they can be told apart.',
  unlinkedElement: 'Link each element that represents a component to its entity.',
  otherFormat: 'Use excalidraw_json for content that should be linked to entities and interfaces.',
} as const

/** A kind of finding. */
export type Kind = keyof typeof fixes

/** The number of issues and of warnings that are listed; further ones are only counted (walls 3, rule 2). */
const maxListed = 100

/** Maximum number of characters of a finding besides its path: it may repeat input. */
const maxCharacters = 200

const lineOf = (path: string, text: string): string =>
  `${path} ${text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text}`

/** The findings of a critique, in the order found. */
export class Findings {
  readonly issues: string[] = []
  readonly warnings: string[] = []
  issuesTotal = 0
  warningsTotal = 0
  readonly #kinds = { issues: new Set<Kind>(), warnings: new Set<Kind>() }
  readonly #paths = new Set<string>()

  /** Adds a blocking issue. */
  issue(kind: Kind, path: string, text: string): void {
    this.issuesTotal++
    if (this.issues.length < maxListed) this.issues.push(lineOf(path, text))
    this.#kinds.issues.add(kind)
    this.#paths.add(path)
  }

  /** Adds a warning, which does not block. */
  warning(kind: Kind, path: string, text: string): void {
    this.warningsTotal++
    if (this.warnings.length < maxListed) this.warnings.push(lineOf(path, text))
    this.#kinds.warnings.add(kind)
  }

  /** Whether a path has an issue. */
  has(path: string): boolean {
    return this.#paths.has(path)
  }

  /** One suggested fix for each kind found, those of issues first. */
  get suggestedFixes(): string[] {
    return [...new Set([...this.#kinds.issues, ...this.#kinds.warnings])].map(kind => fixes[kind])
  }
}
