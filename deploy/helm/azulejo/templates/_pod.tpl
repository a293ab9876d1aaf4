{{/* The Pod Security Standard `restricted`, and a little more. */}}
{{- define "azulejo.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end -}}

{{- define "azulejo.containerSecurity" -}}
image: {{ include "azulejo.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end -}}

{{/* Sleep, drain, grace, and eight seconds for the rest: releasing the store and sending the last spans, which
both have shorter timeouts. */}}
{{- define "azulejo.stopSeconds" -}}
{{- with .Values.stop -}}
{{- add .preStopSeconds (div (add .drainMs .graceMs 999) 1000) 8 -}}
{{- end -}}
{{- end -}}

{{/* Spreads the pods of a part over zones and nodes, per revision. (list $ "engine") */}}
{{- define "azulejo.spread" -}}
{{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
- maxSkew: 1
  topologyKey: {{ $key }}
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- include "azulejo.selector" $ | nindent 6 }}
  matchLabelKeys: [pod-template-hash]
{{- end }}
{{- end -}}

{{/* Node selector, affinity and tolerations of a part. (list $ "engine" settings) */}}
{{- define "azulejo.placement" -}}
{{- $settings := index . 2 -}}
{{- with $settings.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $settings.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
