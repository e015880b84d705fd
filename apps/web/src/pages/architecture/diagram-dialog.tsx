import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useId, useRef, useState } from 'react'
import { EditedForm } from '../../components/edited-form.tsx'
import { InputField } from '../../components/field.tsx'
import { Mermaid } from '../../components/mermaid/mermaid.tsx'
import { ReadDialog } from '../../components/read-dialog.tsx'
import { Select } from '../../components/select.tsx'
import { SourceField } from '../../components/source-field.tsx'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { readTagged } from '../../data/tagged.ts'
import { messages } from '../../messages/messages.ts'
import { diagramIn, type Format, faultIn, formats, isFormat, payloadOf, sceneIn, sourceOf } from './diagram-source.ts'
import { SceneView } from './scene.tsx'

const texts = messages.architecture.editing

interface DiagramDialogProps {
  readonly designId: string
  /** The diagram that is edited; undefined for a new one. */
  readonly diagramId?: string
  readonly onClose: () => void
}

interface DiagramFields {
  readonly title: string
  readonly format: Format
  readonly source: string
}

interface StoredDiagram extends DiagramFields {
  readonly tag: string
  /** The ids of the design's diagrams: an update has to name each of them, or it removes them. */
  readonly ids: readonly string[]
}

const first = 'flowchart LR\n  A[Browser] --> B[Service]\n'

async function readDiagram(design_id: string, diagramId: string | undefined): Promise<StoredDiagram> {
  const { answer, tag } = await readTagged(options =>
    client.getArchitecture({ design_id, include_payloads: true }, options),
  )
  const ids = answer.diagrams.map(({ id }) => id)
  const found = answer.diagrams.find(({ id }) => id === diagramId)
  if (found === undefined) return { title: '', format: 'mermaid', source: first, tag, ids }
  return { title: found.title, format: found.format, source: sourceOf(found.adapter_payload ?? ''), tag, ids }
}

/**
 * Edits the source text of a diagram with a live preview, or takes it from a file; saving makes a new version of the
 * design (insight A).
 */
export default function DiagramDialog({ designId, diagramId, onClose }: DiagramDialogProps) {
  return (
    <ReadDialog
      kind="wide"
      title={diagramId === undefined ? texts.add : texts.edit}
      read={() => readDiagram(designId, diagramId)}
      onClose={onClose}
    >
      {from => <DiagramForm designId={designId} diagramId={diagramId} from={from} onClose={onClose} />}
    </ReadDialog>
  )
}

interface DiagramFormProps {
  readonly designId: string
  readonly diagramId: string | undefined
  readonly from: StoredDiagram
  readonly onClose: () => void
}

function DiagramForm({ designId, diagramId, from, onClose }: DiagramFormProps) {
  const queries = useQueryClient()
  const root = useRef<HTMLDivElement>(null)
  const id = useId()
  const [format, setFormat] = useState<Format>(from.format)
  const ids = useRef(from.ids)
  const read = async () => {
    const now = await readDiagram(designId, diagramId)
    ids.current = now.ids
    return now
  }
  const write = async ({ title, format: as, source }: DiagramFields, ifMatch: string) => {
    const diagram = { title, format: as, adapter_payload: payloadOf(as, source) }
    const entries = ids.current.map(other => (other === diagramId ? { id: other, ...diagram } : { id: other }))
    const diagrams = diagramId === undefined ? [...entries, diagram] : entries
    await client.updateArchitecture({ design_id: designId, diagrams }, { ifMatch })
    await queries.invalidateQueries({ queryKey: keys.record('architecture_design', designId) })
  }
  return (
    <EditedForm
      draft={`diagram:${designId}:${diagramId ?? 'new'}`}
      from={from}
      read={read}
      write={write}
      writtenIn={(fields): DiagramFields => ({
        title: String(fields.get('title')).trim(),
        format,
        source: String(fields.get('source')),
      })}
      wordsFor={({ title, source }) => `${title}\n\n${source}`}
      submit={diagramId === undefined ? texts.addIt : messages.shell.save}
      onClose={onClose}
    >
      <div ref={root} className="row wrap diagram-fields">
        <InputField label={texts.title} name="title" required maxLength={255} defaultValue={from.title} />
        <label className="field">
          <span id={id}>{texts.format}</span>
          <Select
            label={texts.format}
            name="format"
            defaultValue={from.format}
            options={formats.map(value => ({ value, label: texts.formats[value] }))}
            onChange={value => isFormat(value) && setFormat(value)}
          />
        </label>
      </div>
      <SourceField
        label={texts.source}
        name="source"
        value={from.source}
        faultIn={source => faultIn(format, source)}
        fileLabel={texts.file}
        read={async file => {
          const found = await diagramIn(file)
          if ('fault' in found) return found
          setFormat(found.format)
          const fields = root.current!
          fields.querySelector('select')!.value = found.format
          const title = fields.querySelector('input')!
          if (title.value === '') title.value = file.name.replace(/\.[^.]*$/, '').slice(0, 255)
          return found
        }}
        previewLabel={texts.preview}
        preview={source => <Preview format={format} source={source} />}
      />
    </EditedForm>
  )
}

/** A diagram as its page shows it; for a notation that is not drawn here, a note that says so. */
function Preview({ format, source }: { readonly format: Format; readonly source: string }): ReactNode {
  switch (format) {
    case 'mermaid':
      return <Mermaid text={source} label={texts.preview} />
    case 'svg':
      return <img className="drawn" alt={texts.preview} src={`data:image/svg+xml,${encodeURIComponent(source)}`} />
    case 'excalidraw_json': {
      const elements = sceneIn(source)
      return elements.length === 0 ? (
        <p className="muted">{texts.emptyScene}</p>
      ) : (
        <SceneView elements={elements} title={texts.preview} />
      )
    }
    default:
      return <p className="muted">{texts.asText}</p>
  }
}
