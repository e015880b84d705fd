import type { Client } from '@specboard/client'
import { same, withoutRefs } from './compare.ts'
import { cellOf, parseCsv } from './csv.ts'

type Answer<Name extends keyof Client> = Awaited<ReturnType<Client[Name]>>
type Rows = readonly (readonly unknown[])[]

const gap: Rows = [['']]

/** Compares a file with the rows that follow from the JSON answers. */
async function sameFile(name: string, file: Response, expected: Rows): Promise<void> {
  same(
    name,
    parseCsv(await file.text()),
    expected.map(row => row.map(cellOf)),
  )
}

const weeks = (velocity: readonly object[]): Rows => [
  ['Week', 'Impl', 'Test', 'Bug', 'Validation Bounce', 'Spec Done', 'Sprint Done'],
  ...velocity.map(Object.values),
]

/** Compares the export of the overview. */
export const sameOverviewFile = (file: Response, answer: Answer<'getAnalyticsOverview'>): Promise<void> =>
  sameFile('export of the overview', file, [
    ['Metric', 'Value'],
    ['Total Ideations', answer.total_ideations],
    ['Total Specs', answer.total_specs],
    ['Total Cards (Impl)', answer.total_cards_impl],
    ['Total Cards (Test)', answer.total_cards_test],
    ['Avg Completeness', answer.avg_completeness],
    ['Avg Drift', answer.avg_drift],
    ['Total Cards (Bug)', answer.total_cards_bug],
    ['Total Sprints', answer.total_sprints],
    ['Avg Cycle Hours', answer.avg_cycle_hours],
    ...gap,
    ['Funnel Stage', 'Count'],
    ...Object.entries(answer.funnel),
    ...gap,
    ...weeks(answer.velocity),
    ...gap,
    ['Board ID', 'Board Name', 'Ideations', 'Specs', 'Cards', 'Cards Done', 'Refinements', 'Sprints', 'Bugs'],
    ...answer.boards.map(row => [
      row.board_id,
      row.board_name,
      row.ideations,
      row.specs,
      row.cards,
      row.cards_done,
      row.refinements,
      row.sprints,
      row.bugs,
    ]),
  ])

/** The answers that the export of a board must match. */
export interface BoardAnswers {
  readonly funnel: Answer<'getFunnelAnalytics'>
  readonly quality: Answer<'getQualityAnalytics'>
  readonly velocity: Answer<'getVelocityAnalytics'>
}

/** Compares the export of a board. */
export const sameBoardFile = (file: Response, { funnel, quality, velocity }: BoardAnswers): Promise<void> => {
  const scored = (
    rows: readonly { card_id: string; title: string; completeness: unknown; drift: unknown }[],
    source: string,
  ) => rows.map(row => [row.card_id, row.title, row.completeness, row.drift, source])
  return sameFile('export of the board', file, [
    ['Funnel Stage', 'Count'],
    ...Object.entries(funnel).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).map(([key, count]) => [`${name}.${key}`, count])
        : [[name, value]],
    ),
    ...gap,
    ['Card ID', 'Title', 'Completeness', 'Drift', 'Source'],
    ...scored(quality.conclusion_reported, 'conclusion'),
    ...scored(quality.validation_reported, 'validation'),
    ...gap,
    ...weeks(velocity.buckets),
  ])
}

/** Compares the export of one record. */
export const sameRecordFile = (name: string, file: Response, answer: Answer<'getEntityAnalytics'>): Promise<void> =>
  sameFile(name, file, [
    ['Field', 'Value'],
    ...Object.entries(withoutRefs(answer)).flatMap(([field, value]): Rows => {
      if (!Array.isArray(value)) return [[field, value]]
      const isRecords = value.length > 0 && value.every(item => typeof item === 'object' && !Array.isArray(item))
      if (!isRecords) return [...gap, [field, value]]
      const columns = [...new Set(value.flatMap(Object.keys))]
      return [...gap, [field, ...columns], ...value.map(item => ['', ...columns.map(column => item[column])])]
    }),
  ])
