/** The texts of a derived record that are built from its source (ideation 8.2, 8.3). */

/** The fields of an answered question that the texts contain. */
export interface AnsweredQuestion {
  readonly question: string
  readonly choices: readonly { readonly id: string; readonly label: string }[] | null
  readonly answer: string | null
  readonly selected: readonly string[] | null
}

/** The fields of an ideation that the texts contain. */
export interface IdeationText {
  readonly title: string
  readonly version: number
  readonly description: string | null
  readonly problem_statement: string | null
  readonly proposed_approach: string | null
  readonly scope_assessment: Readonly<Record<string, unknown>> | null
  readonly complexity: string | null
}

/** The fields of a refinement that the texts contain. */
export interface RefinementText {
  readonly description: string | null
  readonly in_scope: readonly string[] | null
  readonly out_of_scope: readonly string[] | null
  readonly analysis: string | null
  readonly decisions: readonly string[] | null
}

const heading = '## Ideation context'

/** The parts, separated by blank lines; null when there are none. */
const joined = (parts: readonly (string | null)[]): string | null => {
  const present = parts.filter(part => part !== null)
  return present.length === 0 ? null : present.join('\n\n')
}

const section = (title: string, text: string | null): string | null =>
  text === null || text.trim() === '' ? null : `${title}\n${text}`

const listSection = (title: string, entries: readonly string[] | null): string | null =>
  section(title, entries === null ? null : entries.map(entry => `- ${entry}`).join('\n'))

/** The four lines of a scope assessment. */
function scopeLines({ scope_assessment: scope, complexity }: IdeationText): string | null {
  if (scope === null) return null
  const score = (name: string) => `${scope[name] ?? '?'}/5`
  return [
    `- Domains: ${score('domains')}`,
    `- Ambiguity: ${score('ambiguity')}`,
    `- Dependencies: ${score('dependencies')}`,
    `- Complexity: ${complexity ?? 'not evaluated'}`,
  ].join('\n')
}

/** The text of an answer: the labels of the selected choices, then the free text. */
export function answerText({ choices, answer, selected }: AnsweredQuestion): string {
  const labelOf = new Map(choices?.map(({ id, label }) => [id, label]))
  const labels = (selected ?? []).map(id => labelOf.get(id) ?? id).join(', ')
  return [labels, answer ?? ''].filter(text => text !== '').join(' — ')
}

/** The context of an ideation for its refinements; null when the ideation has only a title (8.2). */
export function ideationContext(ideation: IdeationText, answered: readonly AnsweredQuestion[]): string | null {
  const questions = answered.map(item => `**Q:** ${item.question}\n**A:** ${answerText(item)}`)
  const parts = joined([
    section('### Description', ideation.description),
    section('### Problem statement', ideation.problem_statement),
    section('### Proposed approach', ideation.proposed_approach),
    section('### Scope assessment', scopeLines(ideation)),
    section('### Q&A', joined(questions)),
  ])
  return parts === null ? null : `${heading}\n- Title: ${ideation.title}\n- Version: ${ideation.version}\n\n${parts}`
}

/** Whether a text contains the heading of an ideation's context. */
export const hasIdeationContext = (text: string | null): boolean =>
  (text ?? '').split(/\r?\n/).some(line => line.trimEnd() === heading)

/** The description of a new refinement: its own, then its ideation's context unless it has that already (8.2). */
export function refinementDescription(own: string | null, context: string | null): string | null {
  const description = own?.trim() || null
  return hasIdeationContext(description) ? description : joined([description, context])
}

/** The context of a spec derived from an ideation (8.3). */
export const specContextFromIdeation = (ideation: IdeationText): string | null =>
  joined([
    section('## Problem Statement', ideation.problem_statement),
    section('## Proposed Approach', ideation.proposed_approach),
    section('## Scope Assessment', scopeLines(ideation)),
  ]) ?? ideation.description

/** The context of a spec derived from a refinement, with the current context of the refinement's ideation (8.3). */
export const specContextFromRefinement = (refinement: RefinementText, context: string | null): string | null =>
  joined([
    section('## Refinement Description', refinement.description),
    listSection('## In Scope', refinement.in_scope),
    listSection('## Out of Scope', refinement.out_of_scope),
    section('## Analysis', refinement.analysis),
    listSection('## Decisions', refinement.decisions),
    hasIdeationContext(refinement.description) ? null : context,
  ])
