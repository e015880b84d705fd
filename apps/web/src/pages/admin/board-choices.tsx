import { Input } from '../../components/input.tsx'
import type { BoardListItem } from '../../data/boards.ts'

interface BoardChoicesProps {
  readonly legend: string
  readonly boards: readonly Pick<BoardListItem, 'id' | 'key' | 'name'>[]
}

/** Fields named `board` in a form, one for each board; renders nothing if there are no boards. */
export const BoardChoices = ({ legend, boards }: BoardChoicesProps) =>
  boards.length > 0 && (
    <fieldset className="choices">
      <legend>{legend}</legend>
      {boards.map(({ id, key, name }) => (
        <label key={id} className="row">
          <Input type="checkbox" name="board" value={id} />
          <span className="ref">{key}</span> <bdi>{name}</bdi>
        </label>
      ))}
    </fieldset>
  )
