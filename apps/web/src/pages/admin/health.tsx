import { useQuery } from '@tanstack/react-query'
import { Property } from '../../components/property.tsx'
import { Failure } from '../../components/refusal.tsx'
import { sizeOf } from '../../components/size.ts'
import { Time } from '../../components/time.tsx'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.administration

/** The names of the database engines, in every language. */
const engines: Readonly<Partial<Record<string, string>>> = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

/** How often the health is read while it is shown, ms. */
const againMs = 10_000

/** The health of the service: problems, database, disk, backup, queue and webhooks. */
export function ServiceHealth() {
  const { data, error } = useQuery({
    queryKey: keys.service('status'),
    queryFn: () => client.getServiceStatus(),
    refetchInterval: againMs,
    staleTime: 0,
  })
  if (data === undefined) return <Failure error={error} />
  const { version, started_at, degraded, database, disk_free_bytes, backup, graph_queue, webhooks, nodes } = data
  return (
    <>
      {degraded.length === 0 ? (
        <p>
          <span className="badge green">{texts.well}</span>
        </p>
      ) : (
        <ul className="refusal">
          {degraded.map(reason => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      <dl className="facts">
        <Property label={texts.version}>{version}</Property>
        <Property label={texts.started}>
          <Time at={started_at} />
        </Property>
        <Property label={texts.database}>
          {engines[database.engine] ?? database.engine}, {sizeOf(database.size_bytes)},{' '}
          {texts.migrations(database.migrations)}
        </Property>
        <Property label={texts.disk}>{sizeOf(disk_free_bytes)}</Property>
        <Property label={texts.backup}>
          {backup === null ? (
            texts.noBackup
          ) : (
            <>
              <Time at={backup.last_at} />, {backup.outcome}
              {backup.next_at !== null && (
                <>
                  ; {texts.nextBackup} <Time at={backup.next_at} />
                </>
              )}
            </>
          )}
        </Property>
        <Property label={texts.queue}>{texts.queued(graph_queue.pending, graph_queue.failed)}</Property>
        <Property label={texts.webhooks}>{texts.webhookCounts(webhooks.active, webhooks.failing)}</Property>
        <Property label={texts.nodes}>{nodes.map(({ host, port }) => `${host}:${port}`).join(', ')}</Property>
      </dl>
    </>
  )
}
