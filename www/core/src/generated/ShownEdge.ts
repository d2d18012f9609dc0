export type ShownEdge = { id?: string, from: string, to: string, label: string, isDefault?: boolean, conditionText?: string, conditionExpr?: Record<string, unknown> };
