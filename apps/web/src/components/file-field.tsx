import { type DragEvent, useId, useRef, useState } from 'react'
import { messages } from '../messages/messages.ts'
import type { Guards } from './guarded.tsx'
import { Icon } from './icon.tsx'
import { Input } from './input.tsx'
import './file-field.css'

interface FileFieldProps extends Guards {
  readonly label: string
  readonly onChoose: (file: File) => void
}

/** A file, chosen or dropped here; the name of the one that was chosen stays. */
export function FileField({ label, onChoose, ...guards }: FileFieldProps) {
  const id = useId()
  const input = useRef<HTMLLabelElement>(null)
  const [name, setName] = useState<string>()
  const [isOver, setOver] = useState(false)
  const choose = (file: File | undefined) => {
    if (file === undefined) return
    setName(file.name)
    onChoose(file)
  }
  const isClosed = () => input.current?.querySelector('[aria-disabled="true"], :disabled') !== null
  const over = (event: DragEvent) => {
    if (isClosed()) return
    event.preventDefault()
    setOver(true)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (!isClosed()) choose(event.dataTransfer.files[0])
  }
  return (
    <div className="field">
      <span id={id}>{label}</span>
      <label
        ref={input}
        className={isOver ? 'file-field over' : 'file-field'}
        onDragOver={over}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Input
          {...guards}
          type="file"
          aria-labelledby={`${id} ${id}-says`}
          onChange={event => {
            choose(event.target.files?.[0])
            // The same file can be chosen again once it was changed.
            event.target.value = ''
          }}
        />
        <Icon name="file" />
        <span id={`${id}-says`} className="truncate" dir="auto">
          {name ?? messages.fileField.choose}
        </span>
      </label>
    </div>
  )
}
