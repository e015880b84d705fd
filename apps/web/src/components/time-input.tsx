import { locale } from '../messages/language.ts'
import { messages } from '../messages/messages.ts'
import { Guarded } from './guarded.tsx'
import { type ParsedText, TypedInput, type TypedProps, useTyped } from './typed-input.tsx'
import { typedTime, writtenTime } from './typed-time.ts'

/** A time of day, typed as the language writes it; its value is HH:MM. Locked for people who may not change it. */
export function TimeInput(props: TypedProps) {
  const typed = useTyped(props, { read: readTime, write: time => writtenTime(locale, time) })
  return (
    <Guarded needs={props.needs} allowed={props.allowed}>
      {closed => <TypedInput {...props} typed={typed} closed={closed} />}
    </Guarded>
  )
}

/** What was typed, as a time; an empty text means no time. */
function readTime(text: string): ParsedText {
  const time = typedTime(text)
  return time === undefined ? { fault: messages.shell.time.unknown(writtenTime(locale, '19:30')) } : { value: time }
}
