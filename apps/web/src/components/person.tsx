import './person.css'

const initialsOf = (name: string): string =>
  name
    .split(/[\s._-]+/)
    .filter(word => word !== '')
    .slice(0, 2)
    .map(word => word[0]!.toUpperCase())
    .join('')

/** One of six hues, always the same for a name; the initials say who it is. */
const hueOf = (name: string): number => [...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 6, 0)

/** A person or agent as a small round sign; none while the name is not known yet. */
export const Avatar = ({ name }: { readonly name: string }) =>
  name === '' ? null : (
    <span className={`avatar hue-${hueOf(name)}`} role="img" aria-label={name} title={name}>
      {initialsOf(name)}
    </span>
  )

export const Person = ({ name }: { readonly name: string }) => (
  <span className="row person">
    <Avatar name={name} />
    <span className="truncate">{name}</span>
  </span>
)
