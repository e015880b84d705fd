import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useDrafted } from './drafted.ts'
import type { ClosedControl, Guards } from './guarded.tsx'
import './typed-input.css'

/** A field in which a value of records is typed in the form of the language. */
export interface TypedProps extends Guards {
  /** For screen readers, where there is no visible label. */
  readonly label: string
  readonly id?: string
  /** In the form of records; empty for no value. */
  readonly value?: string
  /** The initial value, in a form that is read when it is sent. */
  readonly defaultValue?: string
  /** The name of the field in its form. */
  readonly name?: string
  /** Called once a complete value was typed and the field is left, or a value was chosen. */
  readonly onChange?: (value: string) => void
}

/** The value that was typed, or what is wrong with it. */
export type ParsedText = { readonly value: string } | { readonly fault: string }

/** Converts between a value and its text in the form of the language. */
interface Form {
  readonly read: (text: string) => ParsedText
  readonly write: (value: string) => string
}

/** The state of a field. */
interface FieldState {
  readonly input: RefObject<HTMLInputElement | null>
  readonly value: string
  readonly read: ParsedText
  readonly text: string
  /** What is wrong, once it should be shown. */
  readonly fault: string | undefined
  readonly type: (text: string) => void
  readonly choose: (value: string) => void
  /** Accepts what was typed; false if it is not a value. */
  readonly settle: () => boolean
  readonly refuse: () => void
}

/** The value of a field, and what is typed until it is valid. */
export function useTyped({ value, defaultValue = '', name, onChange }: TypedProps, form: Form): FieldState {
  const [drafted] = useDrafted(name) ?? []
  const [own, setOwn] = useState(drafted ?? defaultValue)
  const [typed, setTyped] = useState<string>()
  const [isRefused, setRefused] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const now = value ?? own
  const read: ParsedText = typed === undefined && now !== '' ? { value: now } : form.read(typed ?? '')
  const choose = (next: string) => {
    setOwn(next)
    setTyped(undefined)
    setRefused(false)
    if (next !== now) onChange?.(next)
  }
  const settle = (): boolean => {
    if ('fault' in read) setRefused(true)
    else if (typed !== undefined) choose(read.value)
    return 'value' in read
  }
  return {
    input,
    value: now,
    read,
    text: typed ?? (now === '' ? '' : form.write(now)),
    fault: isRefused && 'fault' in read ? read.fault : undefined,
    type: setTyped,
    choose,
    settle,
    refuse: () => setRefused(true),
  }
}

interface TypedInputProps extends Pick<TypedProps, 'label' | 'id' | 'name'> {
  readonly typed: FieldState
  readonly closed: ClosedControl | undefined
  readonly className?: string
  readonly placeholder?: string
  readonly onFocus?: () => void
  readonly onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void
  /** Shown in the field next to the text. */
  readonly children?: ReactNode
}

/** The field itself, with its error below it. */
export function TypedInput({ label, id, name, typed, closed, className = '', children, ...own }: TypedInputProps) {
  const { input, read, text, fault, type, settle, refuse } = typed
  const faultId = useId()
  useLayoutEffect(() => input.current!.setCustomValidity('fault' in read ? read.fault : ''))
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter' && !settle()) event.preventDefault()
    own.onKeyDown?.(event)
  }
  return (
    <div className={`typed-input ${className}`}>
      <input
        ref={input}
        id={id}
        className="input"
        autoComplete="off"
        aria-label={id === undefined ? label : undefined}
        aria-invalid={fault === undefined ? undefined : true}
        aria-describedby={fault === undefined ? undefined : faultId}
        placeholder={own.placeholder}
        maxLength={24}
        value={text}
        onChange={event => type(event.target.value)}
        onFocus={own.onFocus}
        onBlur={settle}
        onKeyDown={onKeyDown}
        onInvalid={event => {
          // Shows our own message below the field instead of the browser's bubble.
          event.preventDefault()
          event.currentTarget.focus()
          refuse()
        }}
        {...closed}
      />
      {name !== undefined && <SentValue name={name} value={'fault' in read ? '' : read.value} />}
      {children}
      {fault !== undefined && (
        <span id={faultId} className="typed-fault" role="alert">
          {fault}
        </span>
      )}
    </div>
  )
}

/** The field that holds the value as it is sent, and keeps it as a draft. */
function SentValue({ name, value }: { readonly name: string; readonly value: string }) {
  const field = useRef<HTMLInputElement>(null)
  const before = useRef(value)
  useEffect(() => {
    if (before.current === value) return
    before.current = value
    field.current!.dispatchEvent(new Event('input', { bubbles: true }))
  }, [value])
  return <input ref={field} name={name} value={value} readOnly hidden />
}
