import type { InPieces, NodeType, RevocationReason } from '@specboard/contract'
import { bulletsUnder, describesAlternative, sectionLines, sentences, statesAssumption } from '../text/sections.ts'
import { lines, titleOf } from '../text/titles.ts'
import { extractDesigns } from './designs.ts'
import { Draft, type DraftNode, type Extraction, type NodeKey } from './draft.ts'
import { mention } from './mentions.ts'
import { artifactRef, keysOf, linksInto, listMember, member, partRef, textOf } from './refs.ts'
import { entity, reasonOf } from './root-nodes.ts'
import type { SpecSource } from './sources.ts'

/** Confidence of what is derived only from the wording of a text. */
const textConfidence = 0.6

/** Confidence of the edge from a decision to a requirement that it does not link to. */
const cooccurrenceConfidence = 0.6

/**
 * Maximum number of co-occurrence edges that a spec yields: their number is the product of its decisions and requirements (walls
 * 3).
 */
const maxCooccurrences = 20_000

/** Maximum number of bullets, and of sentences of each kind, that are read from a text of a spec. */
const maxFound = 500

/** The number of characters read in one piece of work; each edge counts as some of them. */
const charactersAtOnce = 50_000
const charactersOfEdge = 50

/** What a spec yields (knowledge-graph 3.3), read in pieces. */
export function extractSpec(spec: SpecSource): InPieces<Extraction> {
  return new SpecExtraction(spec).run()
}

class SpecExtraction {
  readonly #spec: SpecSource
  readonly #draft: Draft
  readonly #ref: string
  readonly #root: NodeKey
  #cooccurrences = 0

  constructor(spec: SpecSource) {
    this.#spec = spec
    this.#draft = new Draft(reasonOf(spec))
    this.#ref = artifactRef('spec', spec.id)
    this.#root = entity(this.#ref)
  }

  *run(): InPieces<Extraction> {
    const { title, description, context, technical_requirements, acceptance_criteria, functional_requirements } =
      this.#spec
    this.#draft.node(this.#root, { title, content: description ?? '', context: context ?? '' })
    this.#parent()
    const plain = (item: unknown) => ({ title: titleOf(textOf(item)), content: textOf(item) })
    const requirements = this.#children('Requirement', 'fr', 'fr', functional_requirements, plain)
    yield
    this.#children('Constraint', 'tr', 'tr', technical_requirements, plain)
    yield
    const criteria = this.#children('Criterion', 'ac', 'ac', acceptance_criteria, plain)
    this.#children('Constraint', 'business_rule', 'br', this.#spec.business_rules, item => ({
      title: member(item, 'title') || titleOf(textOf(item)),
      content: textOf(item),
    }))
    yield
    this.#scenarios(criteria)
    yield
    this.#contracts(requirements)
    yield
    yield* this.#decisions(requirements)
    yield* this.#legacyDecisions(requirements)
    yield* this.#patterns()
    extractDesigns(this.#draft, this.#root, this.#spec.designs)
    return this.#draft
  }

  #parent(): void {
    const { refinement_id, ideation_id } = this.#spec
    if (refinement_id !== null)
      this.#draft.edge('belongs_to', this.#root, entity(artifactRef('refinement', refinement_id)), 'spec_to_refinement')
    else if (ideation_id !== null)
      this.#draft.edge('belongs_to', this.#root, entity(artifactRef('ideation', ideation_id)), 'spec_to_ideation')
  }

  /** Adds a node that belongs to the spec for each item of a list; returns their keys in order. */
  #children(
    node_type: NodeType,
    section: string,
    name: string,
    items: readonly unknown[],
    fields: (item: unknown, position: number) => Partial<DraftNode> & { title: string; content: string },
  ): NodeKey[] {
    const keys = keysOf(items)
    return items.map((item, position) => {
      const key: NodeKey = { node_type, ref: partRef(this.#ref, section, keys[position]!) }
      this.#draft.node(key, fields(item, position))
      this.#draft.edge('belongs_to', key, this.#root, name)
      return key
    })
  }

  #scenarios(criteria: readonly NodeKey[]): void {
    const { test_scenarios, acceptance_criteria } = this.#spec
    const scenarios = this.#children('TestScenario', 'test_scenario', 'ts', test_scenarios, (item, position) => ({
      title: member(item, 'title') || `TS-${position + 1}`,
      content: lines(
        ...['Given', 'When', 'Then'].map(word => {
          const text = member(item, word.toLowerCase())
          return text === '' ? null : `${word}: ${text}`
        }),
      ),
    }))
    const criteriaOf = this.#linksInto(acceptance_criteria, criteria)
    for (const [position, item] of test_scenarios.entries())
      for (const criterion of criteriaOf(listMember(item, 'linked_criteria')))
        this.#draft.edge('tests', scenarios[position]!, criterion, 'ac_match')
  }

  #contracts(requirements: readonly NodeKey[]): void {
    const { api_contracts, functional_requirements } = this.#spec
    const contracts = this.#children('APIContract', 'api_contract', 'api', api_contracts, (item, position) => ({
      title: `${member(item, 'method')} ${member(item, 'path')}`.trim() || `API-${position + 1}`,
      content: member(item, 'description') || JSON.stringify(item),
    }))
    const requirementsOf = this.#linksInto(functional_requirements, requirements)
    for (const [position, item] of api_contracts.entries())
      for (const requirement of requirementsOf(listMember(item, 'linked_requirements')))
        this.#draft.edge('implements', contracts[position]!, requirement, 'fr_match')
  }

  *#decisions(requirements: readonly NodeKey[]): InPieces<void> {
    const { decisions, functional_requirements } = this.#spec
    const { superseded, links } = supersessions(decisions)
    this.#draft.missing_links += links.missing
    const nodes = this.#children('Decision', 'decision', 'fdec', decisions, (item, position) => {
      const title = member(item, 'title')
      return {
        title: titleOf(title),
        content: contentOf(item),
        context: member(item, 'context'),
        justification: member(item, 'notes'),
        revocation_reason: ownReason(item) ?? (superseded.has(position) ? 'superseded' : null),
      }
    })
    const requirementsOf = this.#linksInto(functional_requirements, requirements)
    const isDue = pacing()
    for (const [position, item] of decisions.entries()) {
      if (isDue(contentOf(item).length + requirements.length * charactersOfEdge)) yield
      const node = nodes[position]!
      const named = listMember(item, 'linked_requirements')
      for (const requirement of requirementsOf(named))
        this.#draft.edge('derives_from', node, requirement, 'explicit_link')
      if (named.length === 0 && ownReason(item) === null) this.#cooccurs(node, requirements)
      this.#alternatives(node, listMember(item, 'alternatives_considered'))
      mention(this.#draft, node, titleOf(member(item, 'title')), contentOf(item))
    }
    for (const [newer, older] of links.pairs) this.#draft.edge('supersedes', nodes[newer]!, nodes[older]!, 'explicit')
  }

  #cooccurs(decision: NodeKey, requirements: readonly NodeKey[]): void {
    this.#cooccurrences += requirements.length
    if (this.#cooccurrences > maxCooccurrences) return
    for (const requirement of requirements)
      this.#draft.edge('derives_from', decision, requirement, 'cooccurrence', { confidence: cooccurrenceConfidence })
  }

  #alternatives(decision: NodeKey, alternatives: readonly unknown[]): void {
    const decisionKey = decision.ref.slice(partRef(this.#ref, 'decision', '').length)
    for (const [position, item] of alternatives.entries()) {
      const text = textOf(item)
      const key: NodeKey = {
        node_type: 'Alternative',
        ref: partRef(this.#ref, 'alternative', `${decisionKey}_${position}`),
      }
      this.#draft.node(key, { title: titleOf(text), content: text })
      this.#draft.edge('belongs_to', key, this.#root, 'alt')
      this.#draft.edge('relates_to', decision, key, 'alternative')
    }
  }

  /** Adds the bullets of a `## Decisions` section, except for those that are also formal decisions. */
  *#legacyDecisions(requirements: readonly NodeKey[]): InPieces<void> {
    const formal = new Set(this.#spec.decisions.map(item => member(item, 'title').trim()))
    const bullets = bulletsUnder(this.#spec.context ?? '', 'Decisions').slice(0, maxFound)
    const isDue = pacing()
    for (const [position, text] of bullets.entries()) {
      if (isDue(text.length + requirements.length * charactersOfEdge)) yield
      if (formal.has(text)) continue
      const key: NodeKey = {
        node_type: 'Decision',
        ref: partRef(this.#ref, 'decision_legacy', String(position)),
      }
      this.#draft.node(key, { title: titleOf(text), content: text })
      this.#draft.edge('belongs_to', key, this.#root, 'dec')
      this.#cooccurs(key, requirements)
      mention(this.#draft, key, titleOf(text), text)
    }
  }

  /** Adds the alternatives and assumptions that sentences of the analysis and of answers state. */
  *#patterns(): InPieces<void> {
    const texts = [sectionLines(this.#spec.context ?? '', 'Analysis').join('\n'), ...this.#spec.answers]
    const [alternatives, assumptions] = [new Set<string>(), new Set<string>()]
    const isDue = pacing()
    for (const text of texts) {
      if (isDue(text.length)) yield
      for (const sentence of sentences(text)) {
        if (describesAlternative(sentence)) alternatives.add(sentence)
        if (statesAssumption(sentence)) assumptions.add(sentence)
      }
    }
    this.#addSentences('Alternative', 'alternative', 'alt', [...alternatives].slice(0, maxFound))
    this.#addSentences('Assumption', 'assumption', 'asm', [...assumptions].slice(0, maxFound))
  }

  #addSentences(node_type: NodeType, section: string, name: string, found: readonly string[]): void {
    for (const [position, sentence] of found.entries()) {
      const key: NodeKey = { node_type, ref: partRef(this.#ref, section, String(position)) }
      this.#draft.node(key, {
        title: titleOf(sentence),
        content: sentence,
        source_confidence: textConfidence,
      })
      this.#draft.edge('belongs_to', key, this.#root, name, {
        confidence: textConfidence,
        fallback: 'text_pattern',
      })
    }
  }

  /** Resolves links into a list to its nodes; links that lead nowhere are counted. */
  #linksInto(items: readonly unknown[], keys: readonly NodeKey[]): (links: readonly unknown[]) => NodeKey[] {
    const positionOf = linksInto(items)
    return links =>
      links.flatMap(link => {
        const position = positionOf(link)
        if (position !== null) return [keys[position]!]
        this.#draft.missing_links++
        return []
      })
  }
}

/** Determines, while texts are read one after the other, when to yield to other work. */
function pacing(): (characters: number) => boolean {
  let read = 0
  return characters => {
    const isDue = read > charactersAtOnce
    read = (isDue ? 0 : read) + characters
    return isDue
  }
}

/** The content of a decision: its rationale, else its title. */
const contentOf = (decision: unknown): string => member(decision, 'rationale') || member(decision, 'title')

/** The reason why a decision is out of force by its own status; null if it is not. */
function ownReason(decision: unknown): RevocationReason | null {
  const status = member(decision, 'status')
  return status === 'superseded' || status === 'revoked' ? status : null
}

/**
 * Pairs of positions of a newer decision and the one it supersedes. Links that lead nowhere, to the decision itself or
 * around a cycle are left out and counted (knowledge-graph 6.1).
 */
function supersessions(decisions: readonly unknown[]) {
  const positions = new Map(decisions.map((item, position) => [member(item, 'id'), position] as const).toReversed())
  const older = new Map<number, number>()
  let missing = 0
  for (const [newer, item] of decisions.entries()) {
    const named = member(item, 'supersedes_decision_id')
    if (named === '') continue
    const target = positions.get(named)
    if (target === undefined || reaches(older, target, newer)) missing++
    else older.set(newer, target)
  }
  return { superseded: new Set(older.values()), links: { pairs: [...older], missing } }
}

/** Whether a decision leads to another by way of the decisions that it supersedes, or is that decision itself. */
function reaches(older: ReadonlyMap<number, number>, from: number, to: number): boolean {
  for (let at: number | undefined = from; at !== undefined; at = older.get(at)) if (at === to) return true
  return false
}
