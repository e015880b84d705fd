import { Link } from 'wouter'
import { addressOfRef } from '../address.ts'
import { basePath } from '../base-path.ts'
import { useKeysOfBoards } from '../data/boards.ts'
import { piecesOf } from './references-in.ts'
import './linked.css'

/** Whether a text can contain a reference at all; most cannot, and need no lookup. */
const mayName = (text: string): boolean => /[A-Z0-9]-[1-9]/.test(text)

interface LinkedProps {
  readonly text: string
}

/**
 * A single-line text whose references are links, as in longer texts (Markdown). It has no element of its own, and must
 * not be used inside a link or a button.
 */
export const Linked = ({ text }: LinkedProps) => (mayName(text) ? <Naming text={text} /> : text)

function Naming({ text }: LinkedProps) {
  const keys = useKeysOfBoards()
  return piecesOf(text, keys).map((piece, index) => {
    // Pieces have no identity but their index.
    const key = `${index}`
    if (!piece.isReference) return piece.text
    return (
      <a key={key} className="named-record" href={basePath + addressOfRef(piece.text)}>
        {piece.text}
      </a>
    )
  })
}

interface TitledLinkProps {
  readonly href: string
  readonly reference: string
  readonly title: string | undefined
}

/**
 * A link with the reference and title of a record. A title that may contain references is shown next to the link, with
 * its own links.
 */
export const TitledLink = ({ href, reference, title }: TitledLinkProps) =>
  title !== undefined && mayName(title) ? (
    <>
      <Link className="ref" href={href}>
        {reference}
      </Link>{' '}
      <bdi>
        <Linked text={title} />
      </bdi>
    </>
  ) : (
    <Link className="titled-link" href={href}>
      <span className="ref">{reference}</span> {title !== undefined && <bdi>{title}</bdi>}
    </Link>
  )
