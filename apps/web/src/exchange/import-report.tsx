import { Table } from '../components/table.tsx'
import type { client } from '../data/client.ts'
import { messages } from '../messages/messages.ts'

const texts = messages.settings.import

export type ImportReport = Awaited<ReturnType<typeof client.importBoard>>

const outcomes = ['read', 'created', 'updated', 'unchanged', 'skipped'] as const

/** How many problems are shown at first. */
const most = 50

/** What an import did, or would do, by kind of record, and what was not taken over as it stands. */
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
      {report.problems_total > 0 && (
        <details>
          <summary>{texts.problems(report.problems_total)}</summary>
          <ul className="plain problems">
            {report.problems.slice(0, most).map(({ entry, line, id, reason, severity }) => (
              <li key={`${entry} ${line} ${id} ${reason}`}>
                <span className={severity === 'skipped' ? 'badge amber' : 'badge'}>{texts.severities[severity]}</span>{' '}
                {reason}{' '}
                <span className="muted">
                  {[entry, line === null ? null : texts.line(line)].filter(Boolean).join(', ')}
                </span>
              </li>
            ))}
          </ul>
          {report.problems_total > most && <p className="muted">{texts.more(report.problems_total - most)}</p>}
        </details>
      )}
    </section>
  )
}
