import type { ReactNode } from 'react'
import { Table } from '../components/table.tsx'
import type { client } from '../data/client.ts'
import { messages } from '../messages/messages.ts'

const texts = messages.settings.import

export type ImportReport = Awaited<ReturnType<typeof client.importBoard>>

const outcomes = ['read', 'created', 'updated', 'unchanged', 'skipped'] as const

/** How many problems are shown at first. */
const max = 50

/** What an import did, or would do, by kind of record, and what was not imported unchanged. */
export function ImportReportView({ report }: { readonly report: ImportReport }) {
  const kinds = Object.keys(report.read)
  return (
    <section className="stack report" aria-label={texts.report}>
      <p>
        <strong>{report.dry_run ? texts.would : texts.did}</strong>{' '}
        <span className="muted">{texts.as(texts.formats[report.format])}</span>
      </p>
      <Table
        caption={texts.report}
        rows={kinds}
        keyOf={kind => kind}
        columns={[
          { label: texts.kind, cell: kind => kind.replaceAll('_', ' ') },
          ...outcomes.map(outcome => ({
            label: texts.outcomes[outcome],
            isNumber: true,
            cell: (kind: string) => report[outcome][kind] ?? 0,
          })),
        ]}
      />
      <p>
        {texts.all}:{' '}
        {Object.entries(texts.sums)
          .map(([name, label]) => `${label} ${report.sums[name as keyof typeof texts.sums]}`)
          .join(', ')}
      </p>
      {report.not_read_total > 0 && (
        <Details summary={texts.notRead(report.not_read_total)} total={report.not_read_total}>
          {report.not_read.slice(0, max).map(({ entry, line, reason }) => (
            <li key={`${entry} ${line} ${reason}`}>
              {reason} <Where entry={entry} line={line} />
            </li>
          ))}
        </Details>
      )}
      <Counted summary={texts.reasons} counts={Object.entries(report.skipped_reasons)} />
      <Counted summary={texts.inferred} counts={report.inferred.map(({ what, count }) => [what, count])} />
      <Counted summary={texts.words} counts={report.mapped_words.map(word => [wordText(word), word.count])} />
      {report.problems_total > 0 && (
        <Details summary={texts.problems(report.problems_total)} total={report.problems_total}>
          {report.problems.slice(0, max).map(({ entry, line, id, reason, severity }) => (
            <li key={`${entry} ${line} ${id} ${reason}`}>
              <span className={severity === 'skipped' ? 'badge amber' : 'badge'}>{texts.severities[severity]}</span>{' '}
              {reason} <Where entry={entry} line={line} />
            </li>
          ))}
        </Details>
      )}
    </section>
  )
}

interface DetailsProps {
  readonly summary: string
  /** The total number; only the first ones are listed. */
  readonly total: number
  readonly children: ReactNode
}

function Details({ summary, total, children }: DetailsProps) {
  return (
    <details>
      <summary>{summary}</summary>
      <ul className="plain problems">{children}</ul>
      {total > max && <p className="muted">{texts.more(total - max)}</p>}
    </details>
  )
}

/** Reasons or words with how often each occurs; nothing without any. */
function Counted({ summary, counts }: { readonly summary: string; readonly counts: readonly [string, number][] }) {
  if (counts.length === 0) return null
  return (
    <Details summary={summary} total={counts.length}>
      {counts.slice(0, max).map(([text, count]) => (
        <li key={text}>
          {text} <span className="muted">{texts.times(count)}</span>
        </li>
      ))}
    </Details>
  )
}

function Where({ entry, line }: { readonly entry: string | null; readonly line: number | null }) {
  const place = [entry, line === null ? null : texts.line(line)].filter(Boolean).join(', ')
  return <span className="muted">{place}</span>
}

const wordText = ({ field, word, value, by }: ImportReport['mapped_words'][number]): string =>
  [texts.word(field, word, value), by === 'default' ? texts.unknownWord : null].filter(Boolean).join(', ')
