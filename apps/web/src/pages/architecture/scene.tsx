import { useId } from 'react'
import { boundsOf, type SceneElement } from './excalidraw.ts'

interface SceneViewProps {
  readonly elements: readonly SceneElement[]
  readonly title: string
}

/** A scene as a picture: shapes, lines and texts at their positions, without the hand-drawn look. */
export function SceneView({ elements, title }: SceneViewProps) {
  const arrow = useId()
  const { x, y, width, height } = boundsOf(elements)
  return (
    <svg className="drawn" viewBox={`${x} ${y} ${width} ${height}`} role="img" aria-label={title}>
      <defs>
        <marker id={arrow} viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto">
          <path d="M1 1 9 5 1 9" fill="none" stroke="context-stroke" />
        </marker>
      </defs>
      {elements.map(element => (
        <Shape key={element.id} element={element} arrow={arrow} />
      ))}
    </svg>
  )
}

function Shape({ element, arrow }: { readonly element: SceneElement; readonly arrow: string }) {
  const { shape, x, y, width, height, points, isArrow, lines, fontSize, stroke, fill } = element
  const attributes = { stroke, fill, strokeWidth: 1.5 }
  switch (shape) {
    case 'rectangle':
      return <rect x={x} y={y} width={width} height={height} rx="6" {...attributes} />
    case 'ellipse':
      return <ellipse cx={x + width / 2} cy={y + height / 2} rx={width / 2} ry={height / 2} {...attributes} />
    case 'diamond':
      return (
        <polygon
          points={`${x + width / 2},${y} ${x + width},${y + height / 2} ${x + width / 2},${y + height} ${x},${y + height / 2}`}
          {...attributes}
        />
      )
    case 'line':
      return (
        <polyline
          points={points.map(([dx, dy]) => `${x + dx},${y + dy}`).join(' ')}
          {...attributes}
          fill="none"
          markerEnd={isArrow ? `url(#${arrow})` : undefined}
        />
      )
    case 'text':
      return (
        <text x={x} y={y} fill={stroke} fontSize={fontSize}>
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have nothing but their place
            <tspan key={index} x={x} dy={fontSize * (index === 0 ? 1 : 1.25)}>
              {line}
            </tspan>
          ))}
        </text>
      )
  }
}
