import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { addressOfBoard } from '../address.ts'
import { Choice } from '../components/choice.tsx'
import { FileField } from '../components/file-field.tsx'
import { Failure } from '../components/refusal.tsx'
import { client } from '../data/client.ts'
import { keys } from '../data/keys.ts'
import type { ImportProgress } from '../data/stream.ts'
import { messages } from '../messages/messages.ts'
import { ImportReportView } from './import-report.tsx'
import './exchange.css'

const texts = messages.settings.import

type Source = Omit<Parameters<typeof client.importBoard>[0], 'dry_run'>

type Format = NonNullable<Source['format']>

const formats = Object.keys(texts.formats) as Format[]

/** Imports a file: first a dry run that reports and writes nothing, then the person decides. */
export default function ImportForm({ boardId }: { readonly boardId?: string }) {
  const queries = useQueryClient()
  const [format, setFormat] = useState<Format | ''>('')
  const [source, setSource] = useState<Source>()
  const trying = useMutation({ mutationFn: (tried: Source) => client.importBoard({ ...tried, dry_run: true }) })
  const importing = useMutation({
    mutationFn: (meant: Source) => client.importBoard(meant),
    onSuccess: () => queries.invalidateQueries(),
  })
  const choose = (file: File) => {
    importing.reset()
    trying.reset()
    const chosen = {
      file,
      ...(format !== '' && { format }),
      ...(boardId !== undefined && { board_id: boardId }),
    }
    setSource(chosen)
    trying.mutate(chosen)
  }
  const done = importing.data
  return (
    <div className="stack">
      <p className="muted">{boardId === undefined ? texts.leadNew : texts.leadInto}</p>
      <div className="row wrap">
        <Choice
          label={texts.format}
          value={format}
          none={texts.anyFormat}
          options={formats.map(name => ({ value: name, label: texts.formats[name] }))}
          onChange={setFormat}
        />
        <FileField
          label={texts.file}
          needs={boardId === undefined ? ['BOARDS_IMPORT', 'BOARDS_CREATE'] : ['BOARDS_IMPORT']}
          onChoose={choose}
        />
      </div>
      <Progress isRunning={trying.isPending || importing.isPending} />
      <Failure error={importing.error ?? trying.error} />
      {done !== undefined ? (
        <>
          <ImportReportView report={done} />
          {done.key !== null && (
            <div className="row">
              <Link className="button primary" href={addressOfBoard(done.key)}>
                {texts.open(done.key)}
              </Link>
            </div>
          )}
        </>
      ) : (
        trying.data !== undefined &&
        source !== undefined && (
          <>
            <ImportReportView report={trying.data} />
            <div className="row">
              <button
                type="button"
                className="button primary"
                disabled={importing.isPending}
                onClick={() => importing.mutate(source)}
              >
                {texts.doIt}
              </button>
            </div>
          </>
        )
      )}
    </div>
  )
}

/** The progress of an import, as the event stream reports it. */
function Progress({ isRunning }: { readonly isRunning: boolean }) {
  const { data } = useQuery<ImportProgress>({ queryKey: keys.importing, enabled: false })
  if (!isRunning) return null
  return (
    <div className="field" role="status">
      <span>{data === undefined ? texts.begins : texts.phases[data.phase]}</span>
      <progress aria-label={texts.report} {...(data !== undefined && { value: data.done, max: data.total })} />
    </div>
  )
}
