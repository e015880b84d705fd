import { describe, expect, test } from 'vitest'
import {
  bareFile,
  importedFieldsOf,
  linksIn,
  ofType,
  problemsOf,
  readingOf,
  recordOf,
  refusalOf,
} from '../reading.testing.ts'

describe('an export of Jira', () => {
  const reading = readingOf(
    bareFile(
      [
        'Summary,Issue key,Issue id,Issue Type,Status,Priority,Assignee,Reporter,Creator,Created,Updated,Due date,Labels,Labels,Description,Inward issue link (Blocks),Inward issue link (Blocks),Parent,Comment',
        'Checkout,SHOP-1,10001,Epic,To Do,Highest,,ada,ada,20/Mar/26 2:05 PM,21/Mar/26 9:00 AM,01/Apr/26,,,The whole,,,,',
        'Pay,SHOP-2,10002,Story,In Progress,Medium,Grace H,ada,linus,20/Mar/26 2:05 PM,21/Mar/26 9:00 AM,01/Apr/26,web,ui,"Two',
        'lines",SHOP-3,SHOP-1,10001,20/Mar/26;ada;Hm.',
        "Refund,SHOP-3,10003,Task,Won't do,Lowest,,ada,ada,yesterday,,,,,,,,SHOP-9,",
      ].join('\r\n'),
      'jira.csv',
    ),
  )

  test('gives cards', () => {
    expect(reading.board.name).toBe('jira')
    expect(recordOf('card', 'SHOP-2', reading)).toMatchObject({
      place: { entry: null, line: 3 },
      title: 'Pay',
      description: 'Two\nlines',
      status: 'in_progress',
      priority: 'medium',
      assignee_id: 'Grace H',
      created_by: 'linus',
      created_at: '2026-03-20T14:05:00.000Z',
      updated_at: '2026-03-21T09:00:00.000Z',
      due_date: '2026-04-01T00:00:00.000Z',
      labels: ['web', 'ui'],
      spec_id: 'spec:SHOP-1',
    })
    expect(recordOf('card', 'SHOP-3', reading)).toMatchObject({
      place: { entry: null, line: 5 },
      status: 'cancelled',
      priority: 'none',
      created_at: null,
      spec_id: 'spec:SHOP-9',
    })
  })

  test('gives specs for parents, also for one that is no row', () => {
    expect(recordOf('spec', 'spec:SHOP-1', reading)).toMatchObject({
      title: 'Checkout',
      status: 'draft',
      description: 'The whole',
    })
    expect(recordOf('spec', 'spec:SHOP-9', reading)).toMatchObject({ title: 'SHOP-9', status: 'in_progress' })
  })

  test('gives links between cards', () => {
    expect(linksIn(reading)).toEqual(['SHOP-2>SHOP-3'])
    expect(problemsOf('note', reading)[0]).toBe(
      ':3 SHOP-2 It is linked with SHOP-1. SHOP-1 is a spec, and only cards depend on one another.',
    )
  })

  test('keeps the other columns', () => {
    expect(importedFieldsOf('SHOP-2', reading)).toBe(
      '**other ids**: 10002\n\n**Issue Type**: Story\n\n**Reporter**: ada',
    )
    expect(importedFieldsOf('SHOP-3', reading)).toContain('**created**: yesterday')
    expect(importedFieldsOf('spec:SHOP-1', reading)).toContain('**priority**: Highest\n\n**due**: 01/Apr/26')
  })
})

test('an export of Linear', () => {
  const reading = readingOf(
    bareFile(
      '"ID","Team","Title","Description","Status","Estimate","Priority","Creator","Assignee","Labels","Created","Updated","Due Date","Parent issue","Blocked by"\n' +
        '"ENG-1","Eng","Sign in","","Backlog","2","No priority","ada@example.test","grace@example.test","api, web","Fri Mar 20 2026 14:05:09 GMT+0000 (GMT)","2026-03-21T00:00:00.000Z","","","ENG-2"\n' +
        '"ENG-2","Eng","Session","","In Review","","Urgent","","","","","","2026-04-01","",""\n',
    ),
  )
  expect(recordOf('card', 'ENG-1', reading)).toMatchObject({
    status: 'not_started',
    priority: 'none',
    created_by: 'ada@example.test',
    labels: ['api', 'web'],
    created_at: '2026-03-20T14:05:09.000Z',
    spec_id: 'spec:Imported',
  })
  expect(recordOf('card', 'ENG-2', reading)).toMatchObject({ status: 'validation', priority: 'critical' })
  expect(linksIn(reading)).toEqual(['ENG-1>ENG-2'])
})

test('an export of GitHub', () => {
  const reading = readingOf(
    bareFile(
      'number\ttitle\tbody\tstate\tassignees\tlabels\tauthor\tcreatedAt\tmilestone\n' +
        '12\tFix it\tIt broke.\tOPEN\tada,grace\tbug\tlinus\t2026-03-20T14:05:09Z\tv1\n',
    ),
  )
  expect(recordOf('card', '12', reading)).toMatchObject({
    title: 'Fix it',
    description: 'It broke.',
    status: 'not_started',
    assignee_id: 'ada',
    labels: ['bug', 'also:@grace'],
    created_by: 'linus',
  })
  expect(importedFieldsOf('12', reading)).toBe('**milestone**: v1')
})

test('an export of Trello', () => {
  const reading = readingOf(
    bareFile(
      'Card ID,Card Name,Card URL,Card Description,Labels,Members,Due Date,Last Activity Date,List ID,List Name,Board ID,Board Name,Archived\n' +
        '5f1,Paint,https://example.test/c/1,Blue,"home (red),soon",ada,2026-04-01T10:00:00.000Z,2026-03-20T14:05:09.000Z,7a,Doing,9b,House,false\n',
    ),
  )
  expect(recordOf('card', '5f1', reading)).toMatchObject({
    title: 'Paint',
    description: 'Blue',
    status: 'in_progress',
    labels: ['home (red)', 'soon'],
    assignee_id: 'ada',
    due_date: '2026-04-01T10:00:00.000Z',
    updated_at: '2026-03-20T14:05:09.000Z',
  })
  expect(importedFieldsOf('5f1', reading)).toContain('**List ID**: 7a')
})

test('an export of Plane', () => {
  const reading = readingOf(
    bareFile(
      '\uFEFFID;Project;Name;Description;State;Start Date;Target Date;Priority;Created By;Assignee;Labels;Created At\r\n' +
        'WEB-1;Web;Menu;;Todo;;2026-04-01;high;ada;grace;;Fri, 20 Mar 2026 14:05:09 UTC\r\n',
    ),
  )
  expect(recordOf('card', 'WEB-1', reading)).toMatchObject({
    title: 'Menu',
    status: 'not_started',
    priority: 'high',
    due_date: '2026-04-01T00:00:00.000Z',
    created_at: '2026-03-20T14:05:09.000Z',
  })
})

test.each([
  ...['To Do', 'todo', 'BACKLOG', 'Open', ''].map(word => [word, 'not_started']),
  ...['In Progress', 'doing'].map(word => [word, 'in_progress']),
  ['In Review', 'validation'],
  ...['Blocked', 'On Hold'].map(word => [word, 'on_hold']),
  ...['Done', 'Closed', 'Completed'].map(word => [word, 'done']),
  ...['Canceled', 'Cancelled', "Won't do", 'Won’t Do'].map(word => [word, 'cancelled']),
])('the status "%s" is %s', (word, status) =>
  expect(recordOf('card', '1', readingOf(bareFile(`id,title,status\n1,A,${word}`))).status).toBe(status),
)

test.each([
  ['Urgent', 'critical'],
  ['Highest', 'critical'],
  ['High', 'high'],
  ['medium', 'medium'],
  ['Low', 'low'],
  ['Lowest', 'none'],
  ['No priority', 'none'],
  ['', 'none'],
])('the priority "%s" is %s', (word, priority) =>
  expect(recordOf('card', '1', readingOf(bareFile(`id,title,priority\n1,A,${word}`))).priority).toBe(priority),
)

test('unknown words are told of once, with their count', () => {
  const reading = readingOf(bareFile('id,title,status,priority\n1,A,Somewhere,P7\n2,B,Somewhere,'))
  expect(recordOf('card', '1', reading)).toMatchObject({ status: 'not_started', priority: 'none' })
  expect(problemsOf('note', reading).map(note => note.slice(0, 42))).toEqual([
    ':2  The status "Somewhere" (2 times) is no',
    ':2  The priority "P7" (1 times) is not kno',
  ])
})

test('a row that others name as their parent may stand in one itself', () => {
  const reading = readingOf(bareFile('key,name,epic\n1,Inner,Outer\n2,Leaf,Inner\n3,Outer,\n'))
  expect(recordOf('spec', 'spec:1', reading).context).toBe('Part of 3: Outer')
  expect(recordOf('card', '2', reading).spec_id).toBe('spec:1')
})

describe('without an id column', () => {
  const text = 'title,created\nA,2026-03-20\nB,2026-03-20\nA,2026-03-20\n'

  test('ids are made of title and time, the same in each reading', () => {
    const ids = ofType('card', readingOf(bareFile(text))).map(({ id }) => id)
    expect(new Set(ids).size).toBe(3)
    expect(ids[2]).toBe(`${ids[0]}~2`)
    expect(ofType('card', readingOf(bareFile(`title,created,x\nB,2026-03-20,1\n`)))[0]!.id).toBe(ids[1])
  })
})

describe('a mapping', () => {
  const text = 'Task;Stage;Name\n"A";Doing;x\n'
  const map = (mapping: object) => ({ mapping: JSON.stringify(mapping) })

  test('goes before the names that are known', () => {
    const [card] = ofType('card', readingOf(bareFile(text), map({ Task: 'title', Stage: 'status' }), 'csv'))
    expect(card).toMatchObject({ title: 'A', status: 'in_progress' })
  })

  test('takes the names of columns too', () => {
    const [card] = ofType('card', readingOf(bareFile(text), map({ Task: 'summary', Stage: 'State' })))
    expect(card).toMatchObject({ title: 'A', status: 'in_progress' })
  })

  test.each([
    ['no JSON', 'Task=title', /not a part of one/],
    ['a list', '["title"]', /not a part of one/],
    ['an unknown field', '{"Task": "colour"}', /"Task" the field "colour"/],
    ['no text', '{"Task": 3}', /not a part of one/],
    ['a column that is not there', '{"Job": "title"}', /no column "Job"/],
  ])('with %s is refused', (_, mapping, message) =>
    expect(refusalOf(bareFile(text), { mapping })?.message).toMatch(message),
  )
})

test('cells without a column are kept', () =>
  expect(importedFieldsOf('1', readingOf(bareFile('id,title\n1,A,more')))).toBe('**column 3**: more'))

test('many rows are read in pieces, with their lines', () => {
  const rows = Array.from({ length: 1000 }, (_, at) => `${at},"Title\nof ${at}"`)
  const reading = readingOf(bareFile(['id,title', ...rows].join('\n')))
  expect(recordOf('card', '999', reading)).toMatchObject({ title: 'Title of 999', place: { line: 2000 } })
})
