import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { addressOfBoard } from '../address.ts'
import { Choice } from '../components/choice.tsx'
import { FileField } from '../components/file-field.tsx'
import { Failure } from '../components/refusal.tsx'
import { client } from '../data/client.ts'
import { keys } from '../data/keys.ts'
import type { ImportProgress } from '../data/stream.ts'
import { messages } from '../messages/messages.ts'
import { chosenFolder, droppedIn, type Files } from './dropped.ts'
import { packed } from './folder.ts'
import { ImportReportView } from './import-report.tsx'
import './exchange.css'

const texts = messages.settings.import

type Source = Omit<Parameters<typeof client.importBoard>[0], 'dry_run'>

type Format = NonNullable<Source['format']>

const formats = Object.keys(texts.formats) as Format[]

interface ImportFormProps {
  readonly boardId?: string
  /** What was dropped to open the form. */
  readonly dropped?: File | Files | undefined
}

/** Imports a file or a folder: first a dry run that reports and writes nothing, then the person decides. */
export default function ImportForm({ boardId, dropped }: ImportFormProps) {
  const queries = useQueryClient()
  const [format, setFormat] = useState<Format | ''>('')
  const [source, setSource] = useState<Source>()
  const trying = useMutation({
    mutationFn: async (chosen: File | Files) => {
      const request = {
        file: await packed(chosen),
        ...(format !== '' && { format }),
        ...(boardId !== undefined && { board_id: boardId }),
      }
      setSource(request)
      return client.importBoard({ ...request, dry_run: true })
    },
  })
  const importing = useMutation({
    mutationFn: (request: Source) => client.importBoard(request),
    onSuccess: () => queries.invalidateQueries(),
  })
  const choose = (chosen: File | Files | undefined): string | undefined => {
    if (chosen === undefined) return undefined
    importing.reset()
    trying.mutate(chosen)
    return chosen.name
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was dropped before the form was there is taken once
  useEffect(() => void choose(dropped), [])
  const done = importing.data
  return (
    <div className="stack">
      <p className="muted">{boardId === undefined ? texts.leadNew : texts.leadInto}</p>
      <div className="row wrap import-source">
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
          onDrop={transfer => choose(droppedIn(transfer))}
          onFolder={files => choose(chosenFolder(files))}
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
