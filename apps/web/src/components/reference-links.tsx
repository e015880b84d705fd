import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { refOfAddress } from '../address.ts'
import { basePath } from '../base-path.ts'
import { part } from './part.tsx'
import { writtenTextSelector } from './references-in.ts'

const ReferenceCard = part(
  () => import('./reference-card.tsx'),
  () => null,
)

/** How long a link must be pointed at or focused before its record is shown, ms. */
const showMs = 300

/** How long the pointer may take from a link to its card, ms. */
const leaveMs = 200

/** The link by reference that an event is about. */
const linkAt = ({ target }: Event): HTMLAnchorElement | undefined => {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
  return link === null || refOfAddress(link.pathname) === undefined ? undefined : link
}

const isInCard = ({ target }: Event): boolean => target instanceof Element && target.closest('.reference-card') !== null

/**
 * Shows the record that a link by reference leads to while the link is pointed at or focused, anywhere in the
 * application. The card can be pointed at too, and Escape closes only the card (WCAG 1.4.13). A tap follows the link.
 * Used once, by the shell.
 */
export function ReferenceLinks() {
  const [location, navigate] = useLocation()
  const [link, setLink] = useState<HTMLAnchorElement>()
  const linkRef = useRef(link)
  linkRef.current = link
  // The link may be gone with its page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the location is what it ends with
  useEffect(() => setLink(undefined), [location])
  useEffect(() => {
    const ended = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let next: HTMLAnchorElement | undefined
    const turnTo = (target: HTMLAnchorElement | undefined) => {
      if (target === next && target !== linkRef.current) return
      next = target
      clearTimeout(timer)
      if (target !== linkRef.current) timer = setTimeout(setLink, target === undefined ? leaveMs : showMs, target)
    }
    const on = <E extends keyof DocumentEventMap>(type: E, act: (event: DocumentEventMap[E]) => void) =>
      document.addEventListener(type, act, { capture: true, signal: ended.signal })
    const isFocused = (anchor: HTMLAnchorElement | undefined) => anchor?.matches(':focus-visible') === true
    on('pointerover', event => {
      if (event.pointerType === 'touch') return
      if (isInCard(event)) turnTo(linkRef.current)
      else turnTo(linkAt(event) ?? (isFocused(linkRef.current) ? linkRef.current : undefined))
    })
    on('focusin', event => {
      const focused = linkAt(event)
      if (isFocused(focused)) turnTo(focused)
    })
    on('focusout', () => turnTo(undefined))
    on('keydown', event => {
      if (event.key !== 'Escape' || linkRef.current === undefined) return
      event.preventDefault()
      event.stopImmediatePropagation()
      next = undefined
      clearTimeout(timer)
      setLink(undefined)
    })
    on('click', event => {
      const followed = linkAt(event)
      const isOther = event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey
      // Links of the pages navigate on their own; those in written texts are plain elements.
      if (followed?.closest(writtenTextSelector) == null || isOther) return
      event.preventDefault()
      navigate(followed.pathname.slice(basePath.length))
    })
    return () => {
      ended.abort()
      clearTimeout(timer)
    }
  }, [navigate])
  if (link === undefined) return null
  return <ReferenceCard key={link.href} link={link} onUnknown={() => setLink(undefined)} />
}
