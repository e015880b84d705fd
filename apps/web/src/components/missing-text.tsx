import type { MissingItem } from '../data/refusal.ts'

/** A missing item in words, linked to its page at the forge if it has one. */
export const MissingText = ({ item: { text, url } }: { readonly item: MissingItem }) =>
  url === undefined ? (
    text
  ) : (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  )
