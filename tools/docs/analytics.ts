import { metricDefinitions, metricsOfAggregates, metricsOfAnswers } from '@specboard/domain'
import { table } from './markdown.ts'

type Metrics = (typeof metricsOfAnswers)[number]

const section = ({ name, about, sources, formulas }: Metrics): string =>
  [
    `### ${name}`,
    about,
    `Measured from: ${sources.map(source => `\`${source}\``).join(', ')}.`,
    table(
      ['Figure', 'Formula'],
      Object.entries(formulas).map(([field, formula]) => [`\`${field}\``, formula]),
    ),
  ].join('\n\n')

/** docs/analytics.md: what every figure means and what it is measured from. */
export function analyticsPage(): string {
  return [
    '# Analytics',
    'Every figure is computed from the records when it is requested; no stored copy can disagree with them. Each answer takes a fixed number of queries, whatever the size of the board. The contract of the answers is [insight B](contract/insight.md#b-analytics).',
    '## Terms',
    table(
      ['Term', 'Meaning'],
      Object.entries(metricDefinitions).map(([term, meaning]) => [term, meaning]),
    ),
    '## Aggregates',
    ...metricsOfAggregates.map(section),
    '## Answers',
    ...metricsOfAnswers.map(section),
  ].join('\n\n')
}
