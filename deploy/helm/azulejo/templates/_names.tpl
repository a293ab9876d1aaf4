{{/* The prefix of all object names. Short enough for the longest suffix. */}}
{{- define "azulejo.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 30 | trimSuffix "-" -}}
{{- else if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 30 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 30 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* The name of a part: (list $ "engine"). The single pod has no suffix. */}}
{{- define "azulejo.name" -}}
{{- $root := index . 0 -}}{{- $part := index . 1 -}}
{{- include "azulejo.fullname" $root -}}{{- if ne $part "server" -}}-{{ $part }}{{- end -}}
{{- end -}}

{{/* Selector labels: they never change during the life of a release. (list $ "engine") */}}
{{- define "azulejo.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: azulejo
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{- define "azulejo.labels" -}}
{{- $root := index . 0 -}}
{{ include "azulejo.selector" . }}
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ $root.Chart.Name }}-{{ $root.Chart.Version }}
{{- end -}}

{{- define "azulejo.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}{{ .repository }}@{{ .digest }}
{{- else -}}{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The server parts of the shape: "server", or "engine arena". */}}
{{- define "azulejo.parts" -}}
{{- if eq .Values.shape "single" -}}server{{- else -}}engine arena{{- end -}}
{{- end -}}

{{/* The parts that serve the engine's calls, and the arena's. */}}
{{- define "azulejo.engineService" -}}
{{- include "azulejo.name" (list . (ternary "server" "engine" (eq .Values.shape "single"))) -}}
{{- end -}}
{{- define "azulejo.arenaService" -}}
{{- include "azulejo.name" (list . (ternary "server" "arena" (eq .Values.shape "single"))) -}}
{{- end -}}
