import { useId, useRef, useState } from 'react'
import { messages } from '../messages/messages.ts'
import { useDropZone } from './drop-zone.ts'
import type { Guards } from './guarded.tsx'
import { Icon } from './icon.tsx'
import { Input } from './input.tsx'
import './file-field.css'

interface FileFieldProps extends Guards {
  readonly label: string
  readonly onChoose: (file: File) => void
  /**
   * Takes whatever is dropped here, including a folder; returns its name. Without this function, only the first file is
   * taken.
   */
  readonly onDrop?: (dropped: DataTransfer) => string | undefined
  /** Takes the files of a folder chosen with the system's dialog; returns the folder's name. */
  readonly onFolder?: (files: FileList) => string | undefined
}

/** Browsers on phones cannot choose folders. */
const knowsFolders = 'webkitdirectory' in HTMLInputElement.prototype

/** The attribute that makes an input choose a folder. */
const ofFolder = { webkitdirectory: '' }

/** A field for a file, chosen or dropped, or for a folder if that is accepted; it shows the name of what was chosen. */
export function FileField({ label, onChoose, onDrop, onFolder, ...guards }: FileFieldProps) {
  const id = useId()
  const input = useRef<HTMLLabelElement>(null)
  const [name, setName] = useState<string>()
  const choose = (file: File | undefined) => {
    if (file === undefined) return
    setName(file.name)
    onChoose(file)
  }
  const isClosed = () => input.current?.querySelector('[aria-disabled="true"], :disabled') !== null
  const drop = (dropped: DataTransfer) => {
    if (onDrop === undefined) choose(dropped.files[0])
    else setName(onDrop(dropped) ?? name)
  }
  const { isOver, zone } = useDropZone(drop, isClosed)
  return (
    <div className="field">
      <span id={id}>{label}</span>
      <label ref={input} className={isOver ? 'file-field over' : 'file-field'} {...zone}>
        <Input
          {...guards}
          type="file"
          aria-labelledby={`${id} ${id}-says`}
          onChange={event => {
            choose(event.target.files?.[0])
            // Allows the same file to be chosen again after it was changed.
            event.target.value = ''
          }}
        />
        <Icon name="file" />
        <span id={`${id}-says`} className="truncate" dir="auto">
          {name ?? (onDrop === undefined ? messages.fileField.choose : messages.fileField.chooseAny)}
        </span>
      </label>
      {onFolder !== undefined && knowsFolders && (
        <label className="file-folder">
          <Input
            {...guards}
            {...ofFolder}
            type="file"
            onChange={event => {
              if (event.target.files !== null) setName(onFolder(event.target.files) ?? name)
              event.target.value = ''
            }}
          />
          <span>{messages.fileField.folder}</span>
        </label>
      )}
    </div>
  )
}
