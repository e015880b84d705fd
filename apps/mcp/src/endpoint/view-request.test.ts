import { describe, expect, test } from 'vitest'
import { ViewError } from '../tools/view.ts'
import { viewRequestOf } from './view-request.ts'

const viewRequest = (query: string, headers: Record<string, string> = {}) =>
  viewRequestOf(new URLSearchParams(query), new Headers(headers))

describe('the view that a request asks for (mcp 6)', () => {
  test.each(['toolsets', 'tools', 'exclude'] as const)('%s sent several times is one list', name => {
    expect(viewRequest(`${name}=a,b&${name}=c`)[name]).toBe('a,b,c')
  })

  test.each(['readonly', 'board_id', 'schemas', 'answers', 'confirm'])('%s has one value', name => {
    expect(() => viewRequest(`${name}=1&${name}=0`)).toThrow(ViewError)
  })

  test('the query wins over headers', () => {
    const headers = { 'x-mcp-toolsets': 'core', 'x-mcp-readonly': 'true', 'x-mcp-board': 'b' }
    expect(viewRequest('toolsets=meta&readonly=0', headers)).toMatchObject({
      toolsets: 'meta',
      readonly: '0',
      boardId: 'b',
    })
  })
})
