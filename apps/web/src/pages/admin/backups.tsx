import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ActionButton } from '../../components/action-button.tsx'
import { Empty } from '../../components/empty.tsx'
import { Property } from '../../components/property.tsx'
import { Failure } from '../../components/refusal.tsx'
import { sizeOf } from '../../components/size.ts'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.backups

/** How often the backups are read while the page is shown, and while one is being made, ms. */
const againMs = { idle: 30_000, running: 1_500 }

type BackupList = Awaited<ReturnType<typeof client.getBackups>>

/** What is wrong with the backups, the worst first. */
function faultsOf(backups: BackupList): readonly string[] {
  const { state, late, last_success_at, last_success_gone, last_failure_at, last_failure } = backups
  if (state === 'external') return []
  const hasFailed = last_failure_at !== null && (last_success_at === null || last_failure_at > last_success_at)
  return [
    ...(state === 'ready' ? [] : [texts.states[state]]),
    ...(hasFailed ? [`${texts.failed} ${last_failure}`] : []),
    ...(last_success_at === null ? [texts.never] : []),
    ...(last_success_gone ? [texts.gone] : []),
    ...(late ? [texts.late] : []),
  ]
}

/** The backups of the service: what is wrong, when the next is due, and the existing ones (board 5). */
export function Backups() {
  const queries = useQueryClient()
  const { data, error } = useQuery({
    queryKey: keys.service('backups'),
    queryFn: () => client.getBackups(),
    refetchInterval: ({ state }) => (state.data?.running_since == null ? againMs.idle : againMs.running),
    staleTime: 0,
  })
  if (data === undefined) return <Failure error={error} />
  const { state, every_hours, keep, next_at, running_since, last_success_at, last_failure_at, items } = data
  const faults = faultsOf(data)
  const [newest] = items
  const columns = [
    { label: texts.begun, cell: ({ created_at }: BackupList['items'][number]) => <Time at={created_at} /> },
    { label: texts.file, cell: ({ name }: BackupList['items'][number]) => <code>{name}</code> },
    { label: texts.size, isNumber: true, cell: ({ size_bytes }: BackupList['items'][number]) => sizeOf(size_bytes) },
    { label: texts.checked, cell: () => texts.verified },
  ]
  return (
    <div className="stack">
      {faults.length > 0 && (
        <div className="refusal">
          <ul>
            {faults.map(fault => (
              <li key={fault}>{fault}</li>
            ))}
          </ul>
        </div>
      )}
      {state === 'external' && <p>{texts.states.external}</p>}
      {state === 'ready' && faults.length === 0 && (
        <p>
          <span className="badge green">{texts.well}</span>
        </p>
      )}
      <dl className="facts">
        {last_success_at !== null && (
          <Property label={texts.lastGood}>
            <Time at={last_success_at} />
          </Property>
        )}
        {last_failure_at !== null && (
          <Property label={texts.lastFailure}>
            <Time at={last_failure_at} />
          </Property>
        )}
        {next_at !== null && (
          <Property label={texts.next}>
            <Time at={next_at} />
          </Property>
        )}
        {every_hours !== null && <Property label={texts.every}>{texts.everyHours(every_hours)}</Property>}
        {keep !== null && <Property label={texts.keep}>{texts.kept(keep)}</Property>}
      </dl>
      {(state === 'ready' || state === 'unwritable') && (
        <>
          <div className="row wrap">
            <ActionButton
              className="button primary"
              needs={['SETTINGS_UPDATE']}
              disabled={running_since !== null}
              onAct={async () => {
                await client.createBackup()
                await queries.invalidateQueries({ queryKey: keys.service('backups') })
              }}
            >
              {texts.make}
            </ActionButton>
            <span role="status" className="muted">
              {running_since !== null && (
                <>
                  {texts.running} <Time at={running_since} />
                </>
              )}
            </span>
          </div>
          {newest === undefined ? (
            <Empty title={texts.none} lead={texts.noneLead} />
          ) : (
            <>
              <Table isWide caption={texts.list} columns={columns} rows={items} keyOf={({ name }) => name} />
              <p className="muted">
                {texts.restore} <code>{texts.command(newest.name)}</code>
              </p>
            </>
          )}
        </>
      )}
      <p className="muted">{texts.lead}</p>
    </div>
  )
}
