import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { Needs } from '../data/needs.ts'
import { type Allowance, type Closure, RightsContext, useClosure, useReason, useRights } from '../data/rights.ts'
import { placeAt } from './place.ts'
import './guarded.css'

interface RightsOnProps {
  /** Null outside boards. */
  readonly boardId: string | null
  readonly children: ReactNode
}

/** Tells the components inside what the person may do there. */
export const RightsOn = ({ boardId, children }: RightsOnProps) => (
  <RightsContext value={useRights(boardId)}>{children}</RightsContext>
)

/**
 * The properties of a locked control: it keeps the focus, explains why, and does nothing. They go after the control's
 * own properties.
 */
export interface ClosedControl {
  readonly 'aria-disabled': true
  readonly 'aria-description': string
  readonly disabled: false
  readonly title: undefined
  onClick(event: SyntheticEvent<HTMLElement>): void
  onMouseDown(event: SyntheticEvent<HTMLElement>): void
  onKeyDown(event: KeyboardEvent<HTMLElement>): void
  onChange(): void
  onPaste(event: ClipboardEvent<HTMLElement>): void
  onCut(event: ClipboardEvent<HTMLElement>): void
  onDrop(event: DragEvent<HTMLElement>): void
  onPointerEnter(event: SyntheticEvent<HTMLElement>): void
  onPointerLeave(event: SyntheticEvent<HTMLElement>): void
  onFocus(event: SyntheticEvent<HTMLElement>): void
  onBlur(): void
}

export interface Guards {
  /** The permissions that the action needs. */
  readonly needs?: Needs | undefined
  /** What get_allowed_moves says about the action, where it has been called. */
  readonly allowed?: Allowance | undefined
}

interface GuardedProps extends Guards {
  /** Renders the control; a locked one with these properties. */
  readonly children: (closed?: ClosedControl) => ReactNode
}

/** An action without required permissions. */
export const noNeeds: Needs = []

/**
 * A control of an action that needs permissions. People without them see it disabled and can find out why, and who has
 * them.
 */
export function Guarded({ needs = noNeeds, allowed, children }: GuardedProps) {
  const closure = useClosure(needs, allowed)
  return closure === undefined ? children() : <Closed closure={closure}>{children}</Closed>
}

interface ClosedProps {
  readonly closure: Closure
  readonly children: GuardedProps['children']
}

function Closed({ closure, children }: ClosedProps) {
  const { control, looked, says, end } = useClosedControl(closure)
  return (
    <>
      {children(control)}
      {looked !== undefined && (
        <Reason key={String(looked.isPressed)} {...looked} onEnd={end}>
          {says}
        </Reason>
      )}
    </>
  )
}

/** A locked control that somebody points at, focuses or presses. */
interface LockedControl {
  readonly at: HTMLElement
  readonly isPressed: boolean
}

/** Keys that keep working on a locked field. */
const passing: ReadonlySet<string> = new Set(['Tab', 'Escape', 'Shift', 'Control', 'Meta'])

/** The properties of a locked control, and whether somebody points at it, focuses it or presses it. */
export function useClosedControl(closure: Closure) {
  const [looked, setLooked] = useState<LockedControl>()
  const says = useReason(closure, looked !== undefined)
  const end = () => setLooked(undefined)
  const press = (event: SyntheticEvent<HTMLElement>) => {
    event.preventDefault()
    setLooked({ at: event.currentTarget, isPressed: true })
  }
  const look = ({ currentTarget: at }: SyntheticEvent<HTMLElement>) => setLooked(now => now ?? { at, isPressed: false })
  const control: ClosedControl = {
    'aria-disabled': true,
    'aria-description': says,
    disabled: false,
    title: undefined,
    onClick: press,
    onMouseDown(event) {
      // It would open a list or a date picker.
      event.preventDefault()
      event.currentTarget.focus()
    },
    onKeyDown(event) {
      if (event.currentTarget instanceof HTMLButtonElement) return
      if (!passing.has(event.key) && !event.ctrlKey && !event.metaKey) press(event)
    },
    onChange() {},
    onPaste: press,
    onCut: press,
    onDrop: press,
    onPointerEnter: look,
    onPointerLeave({ currentTarget }) {
      if (!currentTarget.matches(':focus')) end()
    },
    onFocus: look,
    onBlur: end,
  }
  return { control, looked, says, end }
}

interface ReasonProps extends LockedControl {
  readonly onEnd: () => void
  readonly children: string
}

/** Why a control is locked, next to it; once it is pressed, screen readers read it out at once. */
function Reason({ at, isPressed, onEnd, children }: ReasonProps) {
  const element = useRef<HTMLSpanElement>(null)
  const ending = useRef(onEnd)
  ending.current = onEnd
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words need another place
  useLayoutEffect(() => {
    element.current!.showPopover()
    placeAt(element.current!, at)
  }, [at, children])
  useEffect(() => {
    const endElsewhere = ({ target }: Event) => {
      if (!(target instanceof Node && at.contains(target))) ending.current()
    }
    const endByKey = ({ key }: globalThis.KeyboardEvent) => {
      if (key === 'Escape') ending.current()
    }
    const follow = () => placeAt(element.current!, at)
    addEventListener('pointerdown', endElsewhere, true)
    addEventListener('keydown', endByKey, true)
    addEventListener('scroll', follow, true)
    return () => {
      removeEventListener('pointerdown', endElsewhere, true)
      removeEventListener('keydown', endByKey, true)
      removeEventListener('scroll', follow, true)
    }
  }, [at])
  return (
    <span ref={element} popover="manual" role={isPressed ? 'alert' : 'tooltip'} className="reason">
      {children}
    </span>
  )
}

interface ReadableProps {
  readonly needs: Needs
  readonly children: ReactNode
}

/** Shows its content to people who may read it; others see who may. */
export function Readable({ needs, children }: ReadableProps) {
  const closure = useClosure(needs)
  return closure === undefined ? children : <Unreadable closure={closure} />
}

const Unreadable = ({ closure }: { readonly closure: Closure }) => <p className="notice">{useReason(closure, true)}.</p>
