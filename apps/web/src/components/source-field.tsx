import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { FileField } from './file-field.tsx'
import { TextArea } from './input.tsx'
import './source-field.css'

/** What a file holds, or why it cannot be taken. */
export type FileSource = { readonly source: string } | { readonly fault: string }

interface SourceFieldProps {
  readonly label: string
  readonly name: string
  /** The text that an edit begins with. */
  readonly value: string
  /** Why the text cannot be sent, in words; '' if it can. */
  readonly faultIn: (source: string) => string
  readonly fileLabel: string
  /** Reads a chosen or dropped file. */
  readonly read: (file: File) => Promise<FileSource>
  readonly previewLabel: string
  /** A preview of what the text describes; shown next to it, or below it if there is no room. */
  readonly preview: (source: string) => ReactNode
}

const areaIn = (field: HTMLElement | null) => field!.querySelector('textarea')!

/** A source text in a form, typed or taken from a file, with a preview of what it describes while somebody types. */
export function SourceField({ label, name, value, faultIn, fileLabel, read, previewLabel, preview }: SourceFieldProps) {
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const [source, setSource] = useState(value)
  const [fault, setFault] = useState('')
  // The field may start with a kept draft.
  useEffect(() => setSource(areaIn(root.current).value), [])
  const problem = faultIn(source)
  useEffect(() => areaIn(root.current).setCustomValidity(problem), [problem])
  const take = async (file: File) => {
    const found = await read(file)
    setFault('fault' in found ? found.fault : '')
    if ('fault' in found) return
    areaIn(root.current).value = found.source
    areaIn(root.current).dispatchEvent(new Event('input', { bubbles: true }))
  }
  return (
    <div ref={root} className="source-field">
      <div className="stack">
        <FileField label={fileLabel} onChoose={file => void take(file)} />
        {fault !== '' && (
          <p className="refusal" role="alert">
            {fault}
          </p>
        )}
        <label className="field">
          <span>{label}</span>
          <TextArea
            className="input source-text"
            name={name}
            required
            rows={12}
            spellCheck={false}
            dir="auto"
            defaultValue={value}
            onInput={({ currentTarget }) => setSource(currentTarget.value)}
          />
        </label>
      </div>
      <section className="source-preview" aria-labelledby={id}>
        <h3 id={id} className="section-title">
          {previewLabel}
        </h3>
        {source.trim() !== '' && (problem === '' ? preview(source) : <p className="muted">{problem}</p>)}
      </section>
    </div>
  )
}
