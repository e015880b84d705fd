import { useMemo, useState } from 'react'
import { openPath } from '../base-path.ts'
import { useMe } from './session.ts'

const draftKey = (agentId: string) => `specboard-draft ${agentId} `

/** How the keys of the addresses begin at which a person wrote drafts; the rest is the name of the draft. */
export const addressKey = (agentId: string): string => `specboard-draft-address ${agentId} `

/** The address of what is open: that of its card, if the page shows one over a board or list. */
export function openAddress(): string {
  const card = new URLSearchParams(location.search).get('card')
  const path = openPath()
  return card === null ? path : path.replace(/^(\/b\/[^/]+)\/.*$/, `$1/cards/${card}`)
}

/** Drafts in a browser without storage, as in a private window: kept as long as the page is open. */
const ofThisPage = new Map<string, string>()

/** Where one draft of a person is kept in this browser: it survives a reload, a crash of the tab and a new sign-in. */
export class DraftPlace {
  readonly #key: string
  /** The key of the address where it was written: whoever finds nothing there anymore finds the draft. */
  readonly #addressKey: string

  constructor(agentId: string, name: string) {
    this.#key = draftKey(agentId) + name
    this.#addressKey = addressKey(agentId) + name
  }

  /** The kept value; undefined if there is none or it cannot be read. */
  read(): unknown {
    try {
      const text = ofThisPage.get(this.#key) ?? localStorage.getItem(this.#key)
      return text === null ? undefined : JSON.parse(text)
    } catch {
      return undefined
    }
  }

  keep(value: object): void {
    const text = JSON.stringify(value)
    try {
      localStorage.setItem(this.#key, text)
      localStorage.setItem(this.#addressKey, openAddress())
      ofThisPage.delete(this.#key)
    } catch {
      ofThisPage.set(this.#key, text)
    }
  }

  forget(): void {
    ofThisPage.delete(this.#key)
    try {
      localStorage.removeItem(this.#key)
      localStorage.removeItem(this.#addressKey)
    } catch {
      // A browser without storage has nothing to remove.
    }
  }
}

/**
 * The place of a draft of the person who is signed in.
 * @param name the record and the field, or what is created and where
 */
export function useDraftPlace(name: string): DraftPlace {
  const { agent_id } = useMe()
  return useMemo(() => new DraftPlace(agent_id, name), [agent_id, name])
}

interface Draft<Value extends object> {
  /** The unsent text; undefined if there is none. */
  readonly value: Value | undefined
  keep(value: Value): void
  /** Removes the draft, once it was sent or discarded. */
  forget(): void
  /** Whether a draft is stored now, regardless of what was rendered last. */
  isKept(): boolean
}

/**
 * A draft, kept until it is sent or discarded. A different name means a different draft, even in the same component.
 */
export function useDraft<Value extends object>(
  name: string,
  isDraft: (value: unknown) => value is Value,
): Draft<Value> {
  const place = useDraftPlace(name)
  const read = (): Value | undefined => {
    const stored = place.read()
    return isDraft(stored) ? stored : undefined
  }
  const [state, setState] = useState(() => ({ place, value: read() }))
  const current = state.place === place ? state : { place, value: read() }
  if (current !== state) setState(current)
  return {
    value: current.value,
    keep(value) {
      place.keep(value)
      setState({ place, value })
    },
    forget() {
      place.forget()
      // If another place is current by now, its draft stays.
      setState(now => (now.place === place ? { place, value: undefined } : now))
    },
    isKept: () => read() !== undefined,
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a kept value has these fields, all of them texts. */
export const hasTexts = <Name extends string>(
  value: unknown,
  ...names: readonly Name[]
): value is Readonly<Record<Name, string>> => isObject(value) && names.every(name => typeof value[name] === 'string')

/** The values of a form's fields, by name; an unticked box has none. */
export type FieldValues = Readonly<Record<string, readonly string[]>>

const isFieldValues = (value: unknown): value is FieldValues =>
  isObject(value) && Object.values(value).every(values => Array.isArray(values) && values.every(isText))

const isText = (value: unknown): value is string => typeof value === 'string'

/** A draft of a form: its values, and what an edit began with. */
export interface FormDraft {
  readonly fields: FieldValues
  readonly from?: unknown
}

export const isFormDraft = (value: unknown): value is FormDraft => isObject(value) && isFieldValues(value.fields)

/** The kept value of a form field that the rest of the form depends on. */
export function useKeptField(draft: string, field: string): string | undefined {
  const place = useDraftPlace(draft)
  const [value] = useState(() => {
    const stored = place.read()
    return isFormDraft(stored) ? stored.fields[field]?.[0] : undefined
  })
  return value
}

/** Whether the kept initial state has the same shape as the current one. */
export const isLike = <State extends object>(stored: unknown, state: State): stored is State =>
  isObject(stored) && Object.entries(state).every(([name, value]) => typeof stored[name] === typeof value)
