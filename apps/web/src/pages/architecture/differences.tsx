import { useQuery } from '@tanstack/react-query'
import { Failure } from '../../components/refusal.tsx'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.architecture

interface DifferencesProps {
  readonly designId: string
  readonly from: number
  readonly to: number
}

const ways = ['added', 'removed', 'changed'] as const

/** The differences between two versions of a design. */
export function Differences({ designId: design_id, from: from_version, to: to_version }: DifferencesProps) {
  const { data, error } = useQuery({
    queryKey: keys.part('architecture_design', design_id, 'diff', { from_version, to_version }),
    queryFn: () => client.diffArchitecture({ design_id, from_version, to_version }),
  })
  if (data === undefined) return <Failure error={error} />
  const changes = [...data.semantic_changes, ...data.layout_changes]
  return (
    <section className="box stack" aria-label={texts.compared(from_version, to_version)}>
      <p>
        <strong>{texts.compared(from_version, to_version)}</strong>{' '}
        {data.breaking_change_flag && <span className="badge red">{texts.breaking}</span>}
      </p>
      {changes.length === 0 && <p className="muted">{texts.same}</p>}
      {changes.map(change => (
        <div key={change.field}>
          <h3>{texts.fields[change.field]}</h3>
          {'from' in change ? (
            <>
              <del className="gone">{change.from}</del>
              <ins className="new">{change.to}</ins>
            </>
          ) : (
            ways.map(
              way =>
                change[way].length > 0 && (
                  <p key={way}>
                    <span className="muted">{texts[way]}:</span> {change[way].join(', ')}
                  </p>
                ),
            )
          )}
        </div>
      ))}
    </section>
  )
}
